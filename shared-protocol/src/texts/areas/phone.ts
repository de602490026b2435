// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/phone.ts'
import { texts as hi } from '../hi/phone.ts'

export const phoneTexts = { en, hi } as const satisfies Area<typeof en>
