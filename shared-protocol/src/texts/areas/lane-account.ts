// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/lane-account.ts'
import { texts as hi } from '../hi/lane-account.ts'

export const laneAccountTexts = { en, hi } as const satisfies Area<typeof en>
