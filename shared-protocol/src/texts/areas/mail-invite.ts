// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-invite.ts'
import { texts as hi } from '../hi/mail-invite.ts'

export const mailInviteTexts = { en, hi } as const satisfies Area<typeof en>
