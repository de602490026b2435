// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-sso.ts'
import { texts as hi } from '../hi/mail-sso.ts'

export const mailSsoTexts = { en, hi } as const satisfies Area<typeof en>
