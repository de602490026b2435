import { textsIn } from '@integrity/protocol/texts/catalogue'
import { windowLanguages } from '../../src/shell/renderer/texts/window.ts'

/** What the window says, for finding it. */
export const en = textsIn(windowLanguages, 'en')
export const hi = textsIn(windowLanguages, 'hi')
