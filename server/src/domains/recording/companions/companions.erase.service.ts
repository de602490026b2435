import type { SessionEraser } from '../../../kernel/session-eraser.ts'
import { deletePresence } from './companions.store.ts'
import type { LivePreviews } from './previews.parts.ts'

/** What the phones of a session said of themselves, and what they show now, goes with its evidence; that they were paired stays. */
export const createCompanionsEraser = (previews: LivePreviews): SessionEraser => ({
  async erase({ tx, scope }, sessionId) {
    await deletePresence(tx, scope, sessionId)
    tx.afterCommit(() => previews.drop(sessionId))
    return undefined
  },
})
