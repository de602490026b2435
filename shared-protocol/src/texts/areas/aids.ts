// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/aids.ts'
import { texts as hi } from '../hi/aids.ts'

export const aidsTexts = { en, hi } as const satisfies Area<typeof en>
