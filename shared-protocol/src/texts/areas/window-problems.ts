// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/window-problems.ts'
import { texts as hi } from '../hi/window-problems.ts'

export const windowProblemsTexts = { en, hi } as const satisfies Area<typeof en>
