// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/shell.ts'
import { texts as hi } from '../hi/shell.ts'

export const shellTexts = { en, hi } as const satisfies Area<typeof en>
