import { consentTexts } from '@integrity/protocol/texts/areas/consent'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { phoneTexts } from '@integrity/protocol/texts/areas/phone'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the phone says. What is collected is said by the service. */
export const phoneLanguages = catalogueOf(productTexts, helpTexts, phoneTexts, consentTexts)
export type PhoneText = TextOf<typeof phoneLanguages>
export type PhoneLanguage = (typeof phoneLanguages)[number]
