// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-processing.ts'
import { texts as hi } from '../hi/desk-processing.ts'

export const deskProcessingTexts = { en, hi } as const satisfies Area<typeof en>
