// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-password.ts'
import { texts as hi } from '../hi/mail-password.ts'

export const mailPasswordTexts = { en, hi } as const satisfies Area<typeof en>
