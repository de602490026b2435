// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/help.ts'
import { texts as hi } from '../hi/help.ts'

export const helpTexts = { en, hi } as const satisfies Area<typeof en>
