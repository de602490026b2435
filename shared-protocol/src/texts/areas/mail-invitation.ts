// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-invitation.ts'
import { texts as hi } from '../hi/mail-invitation.ts'

export const mailInvitationTexts = { en, hi } as const satisfies Area<typeof en>
