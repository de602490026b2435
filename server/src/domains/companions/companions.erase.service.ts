import type { Writes } from '../../kernel/call.ts'
import { deletePresence } from './companions.store.ts'

/** What the phones of a session said of themselves goes with its evidence; that they were paired stays. */
export const erasePresence = (call: Writes, sessionId: string): Promise<void> =>
  deletePresence(call.tx, call.scope, sessionId)
