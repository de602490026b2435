// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-statement.ts'
import { texts as hi } from '../hi/desk-statement.ts'

export const deskStatementTexts = { en, hi } as const satisfies Area<typeof en>
