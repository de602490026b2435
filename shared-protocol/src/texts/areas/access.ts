// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/access.ts'
import { texts as hi } from '../hi/access.ts'

export const accessTexts = { en, hi } as const satisfies Area<typeof en>
