// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/access-copy.ts'
import { texts as hi } from '../hi/access-copy.ts'

export const accessCopyTexts = { en, hi } as const satisfies Area<typeof en>
