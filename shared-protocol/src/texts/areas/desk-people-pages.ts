// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-people-pages.ts'
import { texts as hi } from '../hi/desk-people-pages.ts'

export const deskPeoplePagesTexts = { en, hi } as const satisfies Area<typeof en>
