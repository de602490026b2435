import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { passwordTexts } from '@integrity/protocol/texts/areas/password'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the page says where people set a password. */
export const passwordLanguages = catalogueOf(linkTexts, passwordTexts)
export type PasswordText = TextOf<typeof passwordLanguages>
