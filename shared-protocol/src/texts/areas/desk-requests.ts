// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-requests.ts'
import { texts as hi } from '../hi/desk-requests.ts'

export const deskRequestsTexts = { en, hi } as const satisfies Area<typeof en>
