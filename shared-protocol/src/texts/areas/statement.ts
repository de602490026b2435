// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/statement.ts'
import { texts as hi } from '../hi/statement.ts'

export const statementTexts = { en, hi } as const satisfies Area<typeof en>
