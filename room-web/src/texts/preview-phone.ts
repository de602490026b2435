import { consentTexts } from '@integrity/protocol/texts/areas/consent'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { phoneTexts } from '@integrity/protocol/texts/areas/phone'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the phone says, where it differs from a page in the phone's words; a page can be loaded again, which no phone speaks of. */
export const phoneLanguages = catalogueOf(productTexts, helpTexts, linkTexts, phoneTexts, consentTexts)
export type PhoneText = TextOf<typeof phoneLanguages>
