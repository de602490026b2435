// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-interviewers.ts'
import { texts as hi } from '../hi/desk-interviewers.ts'

export const deskInterviewersTexts = { en, hi } as const satisfies Area<typeof en>
