// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-connections.ts'
import { texts as hi } from '../hi/desk-connections.ts'

export const deskConnectionsTexts = { en, hi } as const satisfies Area<typeof en>
