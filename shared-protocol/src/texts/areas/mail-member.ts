// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-member.ts'
import { texts as hi } from '../hi/mail-member.ts'

export const mailMemberTexts = { en, hi } as const satisfies Area<typeof en>
