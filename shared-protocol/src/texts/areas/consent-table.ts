// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/consent-table.ts'
import { texts as hi } from '../hi/consent-table.ts'

export const consentTableTexts = { en, hi } as const satisfies Area<typeof en>
