import { phoneTexts } from '@integrity/protocol/texts/areas/phone'
import { consentTexts } from '@integrity/protocol/texts/areas/consent'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { windowConsentTexts } from '@integrity/protocol/texts/areas/window-consent'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the window of the application says on its first page. */
export const windowLanguages = catalogueOf(productTexts, helpTexts, windowConsentTexts)
export type WindowText = TextOf<typeof windowLanguages>

/** What the phone says. */
export const phoneLanguages = catalogueOf(productTexts, helpTexts, phoneTexts, consentTexts)
export type PhoneText = TextOf<typeof phoneLanguages>
