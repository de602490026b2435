import { checkHi } from '@integrity/protocol/texts/hi/window-check'
import { consentHi } from '@integrity/protocol/texts/hi/window-consent'
import { generalHi } from '@integrity/protocol/texts/hi/window-general'
import { problemsHi } from '@integrity/protocol/texts/hi/window-problems'
import { recordingHi } from '@integrity/protocol/texts/hi/window-recording'
import type { Texts } from './en.ts'

/** Every text of the window in Hindi. */
export const hi: Texts = { ...generalHi, ...consentHi, ...checkHi, ...recordingHi, ...problemsHi }
