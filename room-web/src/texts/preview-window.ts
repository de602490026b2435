import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { windowConsentTexts } from '@integrity/protocol/texts/areas/window-consent'
import { windowGeneralTexts } from '@integrity/protocol/texts/areas/window-general'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the window of the application says on its first page. */
export const windowLanguages = catalogueOf(productTexts, helpTexts, windowGeneralTexts, windowConsentTexts)
export type WindowText = TextOf<typeof windowLanguages>
