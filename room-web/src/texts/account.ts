import { accountTexts } from '@integrity/protocol/texts/areas/account'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the page says where people keep their account safe. */
export const accountLanguages = catalogueOf(linkTexts, accountTexts)
export type AccountText = TextOf<typeof accountLanguages>
