// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/notice.ts'
import { texts as hi } from '../hi/notice.ts'

export const noticeTexts = { en, hi } as const satisfies Area<typeof en>
