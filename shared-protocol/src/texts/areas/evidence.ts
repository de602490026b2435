// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/evidence.ts'
import { texts as hi } from '../hi/evidence.ts'

export const evidenceTexts = { en, hi } as const satisfies Area<typeof en>
