// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-house.ts'
import { texts as hi } from '../hi/desk-house.ts'

export const deskHouseTexts = { en, hi } as const satisfies Area<typeof en>
