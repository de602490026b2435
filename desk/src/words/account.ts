import { accountTexts } from '@integrity/protocol/texts/areas/account'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the page says where people keep their account safe. */
export const accountLanguages = catalogueOf(productTexts, helpTexts, linkTexts, accountTexts)
export type AccountText = TextOf<typeof accountLanguages>
