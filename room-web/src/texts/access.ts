import { accessTexts } from '@integrity/protocol/texts/areas/access'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the page says where an organisation is asked for and opened. */
export const accessLanguages = catalogueOf(productTexts, helpTexts, linkTexts, accessTexts)
export type AccessText = TextOf<typeof accessLanguages>
