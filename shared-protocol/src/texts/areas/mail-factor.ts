// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-factor.ts'
import { texts as hi } from '../hi/mail-factor.ts'

export const mailFactorTexts = { en, hi } as const satisfies Area<typeof en>
