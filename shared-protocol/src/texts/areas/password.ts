// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/password.ts'
import { texts as hi } from '../hi/password.ts'

export const passwordTexts = { en, hi } as const satisfies Area<typeof en>
