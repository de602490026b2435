// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-interviewer.ts'
import { texts as hi } from '../hi/mail-interviewer.ts'

export const mailInterviewerTexts = { en, hi } as const satisfies Area<typeof en>
