import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { InterviewerText } from '../../texts/interviewer.ts'

/** How this page speaks. */
export const useLanguage: () => Spoken<InterviewerText> = useSpoken
