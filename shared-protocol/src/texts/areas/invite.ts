// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/invite.ts'
import { texts as hi } from '../hi/invite.ts'

export const inviteTexts = { en, hi } as const satisfies Area<typeof en>
