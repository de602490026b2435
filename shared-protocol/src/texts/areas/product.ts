// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/product.ts'
import { texts as hi } from '../hi/product.ts'

export const productTexts = { en, hi } as const satisfies Area<typeof en>
