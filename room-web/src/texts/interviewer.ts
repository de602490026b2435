import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { interviewerTexts } from '@integrity/protocol/texts/areas/interviewer'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the page says where interviewers read what is kept of them. */
export const interviewerLanguages = catalogueOf(productTexts, helpTexts, linkTexts, interviewerTexts)
export type InterviewerText = TextOf<typeof interviewerLanguages>
