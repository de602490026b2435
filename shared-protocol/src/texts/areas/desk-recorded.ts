// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-recorded.ts'
import { texts as hi } from '../hi/desk-recorded.ts'

export const deskRecordedTexts = { en, hi } as const satisfies Area<typeof en>
