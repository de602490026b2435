// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-business.ts'
import { texts as hi } from '../hi/desk-business.ts'

export const deskBusinessTexts = { en, hi } as const satisfies Area<typeof en>
