// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/own-player.ts'
import { texts as hi } from '../hi/own-player.ts'

export const ownPlayerTexts = { en, hi } as const satisfies Area<typeof en>
