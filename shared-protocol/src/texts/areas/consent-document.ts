// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/consent-document.ts'
import { texts as hi } from '../hi/consent-document.ts'

export const consentDocumentTexts = { en, hi } as const satisfies Area<typeof en>
