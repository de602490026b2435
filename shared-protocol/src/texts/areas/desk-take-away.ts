// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-take-away.ts'
import { texts as hi } from '../hi/desk-take-away.ts'

export const deskTakeAwayTexts = { en, hi } as const satisfies Area<typeof en>
