// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-integrations.ts'
import { texts as hi } from '../hi/desk-integrations.ts'

export const deskIntegrationsTexts = { en, hi } as const satisfies Area<typeof en>
