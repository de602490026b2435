import type { Texts } from './en.ts'
import { checkHi } from './hi/check.ts'
import { consentHi } from './hi/consent.ts'
import { generalHi } from './hi/general.ts'
import { problemsHi } from './hi/problems.ts'
import { recordingHi } from './hi/recording.ts'

/** Every text of the window in Hindi. */
export const hi: Texts = { ...generalHi, ...consentHi, ...checkHi, ...recordingHi, ...problemsHi }
