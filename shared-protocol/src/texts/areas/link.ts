// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/link.ts'
import { texts as hi } from '../hi/link.ts'

export const linkTexts = { en, hi } as const satisfies Area<typeof en>
