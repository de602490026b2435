// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/requests.ts'
import { texts as hi } from '../hi/requests.ts'

export const requestsTexts = { en, hi } as const satisfies Area<typeof en>
