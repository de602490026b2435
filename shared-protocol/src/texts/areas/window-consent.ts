// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/window-consent.ts'
import { texts as hi } from '../hi/window-consent.ts'

export const windowConsentTexts = { en, hi } as const satisfies Area<typeof en>
