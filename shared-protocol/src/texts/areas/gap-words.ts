// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/gap-words.ts'
import { texts as hi } from '../hi/gap-words.ts'

export const gapWordsTexts = { en, hi } as const satisfies Area<typeof en>
