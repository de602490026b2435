// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/refusal-page.ts'
import { texts as hi } from '../hi/refusal-page.ts'

export const refusalPageTexts = { en, hi } as const satisfies Area<typeof en>
