// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/account.ts'
import { texts as hi } from '../hi/account.ts'

export const accountTexts = { en, hi } as const satisfies Area<typeof en>
