import { consentTexts } from '@integrity/protocol/texts/areas/consent'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { phoneTexts } from '@integrity/protocol/texts/areas/phone'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { windowConsentTexts } from '@integrity/protocol/texts/areas/window-consent'
import { windowGeneralTexts } from '@integrity/protocol/texts/areas/window-general'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the window of the application says on its first page. */
export const windowLanguages = catalogueOf(productTexts, helpTexts, windowGeneralTexts, windowConsentTexts)
export type WindowText = TextOf<typeof windowLanguages>

/** What the phone says; a page can be loaded again, which no phone speaks of. */
export const phoneLanguages = catalogueOf(productTexts, helpTexts, linkTexts, phoneTexts, consentTexts)
export type PhoneText = TextOf<typeof phoneLanguages>
