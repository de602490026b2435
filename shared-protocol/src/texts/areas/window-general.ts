// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/window-general.ts'
import { texts as hi } from '../hi/window-general.ts'

export const windowGeneralTexts = { en, hi } as const satisfies Area<typeof en>
