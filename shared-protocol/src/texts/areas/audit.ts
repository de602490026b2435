// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/audit.ts'
import { texts as hi } from '../hi/audit.ts'

export const auditTexts = { en, hi } as const satisfies Area<typeof en>
