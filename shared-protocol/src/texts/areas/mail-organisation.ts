// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/mail-organisation.ts'
import { texts as hi } from '../hi/mail-organisation.ts'

export const mailOrganisationTexts = { en, hi } as const satisfies Area<typeof en>
