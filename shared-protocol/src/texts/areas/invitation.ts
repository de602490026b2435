// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/invitation.ts'
import { texts as hi } from '../hi/invitation.ts'

export const invitationTexts = { en, hi } as const satisfies Area<typeof en>
