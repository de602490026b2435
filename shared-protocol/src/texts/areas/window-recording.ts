// Generated from languages.ts by `npm run generate`.
import type { Area } from '../catalogue.ts'
import { texts as en } from '../en/window-recording.ts'
import { texts as hi } from '../hi/window-recording.ts'

export const windowRecordingTexts = { en, hi } as const satisfies Area<typeof en>
