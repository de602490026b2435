import type { Needs } from '../../../kernel/call.ts'
import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { deletePresence } from './companions.store.ts'

/** What the phones of a session said of themselves, and what they show now, goes with its evidence; that they were paired stays. */
export const companionsEraser = ({ previews }: Needs<'previews'>): DomainEraser => ({
  order: 60,
  async erase({ tx, scope }, sessionId) {
    await deletePresence(tx, scope, sessionId)
    tx.afterCommit(() => previews.drop(sessionId))
    return undefined
  },
})
