import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { passwordTexts } from '@integrity/protocol/texts/areas/password'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the page says where people set a password. */
export const passwordLanguages = catalogueOf(productTexts, helpTexts, linkTexts, passwordTexts)
export type PasswordText = TextOf<typeof passwordLanguages>
