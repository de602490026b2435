import type { SessionEraser } from '../../kernel/session-eraser.ts'
import { deletePresence } from './companions.store.ts'

/** What the phones of a session said of themselves goes with its evidence; that they were paired stays. */
export const companionsEraser: SessionEraser = {
  async erase({ tx, scope }, sessionId) {
    await deletePresence(tx, scope, sessionId)
    return undefined
  },
}
