// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/window-check.ts'
import { texts as hi } from '../hi/window-check.ts'

export const windowCheckTexts = { en, hi } as const satisfies Area<typeof en>
