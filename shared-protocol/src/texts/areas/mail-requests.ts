// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-requests.ts'
import { texts as hi } from '../hi/mail-requests.ts'

export const mailRequestsTexts = { en, hi } as const satisfies Area<typeof en>
