// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/room.ts'
import { texts as hi } from '../hi/room.ts'

export const roomTexts = { en, hi } as const satisfies Area<typeof en>
