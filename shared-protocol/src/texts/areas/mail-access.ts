// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-access.ts'
import { texts as hi } from '../hi/mail-access.ts'

export const mailAccessTexts = { en, hi } as const satisfies Area<typeof en>
