// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/moments.ts'
import { texts as hi } from '../hi/moments.ts'

export const momentsTexts = { en, hi } as const satisfies Area<typeof en>
