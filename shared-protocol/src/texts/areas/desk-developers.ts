// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/desk-developers.ts'
import { texts as hi } from '../hi/desk-developers.ts'

export const deskDevelopersTexts = { en, hi } as const satisfies Area<typeof en>
