// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-player.ts'
import { texts as hi } from '../hi/desk-player.ts'

export const deskPlayerTexts = { en, hi } as const satisfies Area<typeof en>
