// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-live.ts'
import { texts as hi } from '../hi/desk-live.ts'

export const deskLiveTexts = { en, hi } as const satisfies Area<typeof en>
