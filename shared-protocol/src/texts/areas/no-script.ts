// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/no-script.ts'
import { texts as hi } from '../hi/no-script.ts'

export const noScriptTexts = { en, hi } as const satisfies Area<typeof en>
