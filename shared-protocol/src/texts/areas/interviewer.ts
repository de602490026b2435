// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/interviewer.ts'
import { texts as hi } from '../hi/interviewer.ts'

export const interviewerTexts = { en, hi } as const satisfies Area<typeof en>
