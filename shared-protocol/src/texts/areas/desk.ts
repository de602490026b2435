// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk.ts'
import { texts as hi } from '../hi/desk.ts'

export const deskTexts = { en, hi } as const satisfies Area<typeof en>
