// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-aids.ts'
import { texts as hi } from '../hi/desk-aids.ts'

export const deskAidsTexts = { en, hi } as const satisfies Area<typeof en>
