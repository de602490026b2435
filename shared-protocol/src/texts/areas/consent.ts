// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/consent.ts'
import { texts as hi } from '../hi/consent.ts'

export const consentTexts = { en, hi } as const satisfies Area<typeof en>
