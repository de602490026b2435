import type { SessionEraser } from '../../kernel/session-eraser.ts'
import { eraseEventWords } from './integrity-events.store.ts'

/** Kind, times and counts stay: names of windows, programs, devices and networks go with the rest of what an event said. */
export const integrityEventsEraser: SessionEraser = {
  async erase({ tx, scope }, sessionId) {
    await eraseEventWords(tx, scope, sessionId)
    return undefined
  },
}
