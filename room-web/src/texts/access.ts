import { accessTexts } from '@integrity/protocol/texts/areas/access'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the page says where an organisation is asked for and opened. */
export const accessLanguages = catalogueOf(linkTexts, accessTexts)
export type AccessText = TextOf<typeof accessLanguages>
