import type { Scope } from '../../kernel/scope.ts'
import type { Tx } from '../../platform/db/types.ts'
import { deletePresence } from './companions.store.ts'

/** What the phones of a session said of themselves goes with its evidence; that they were paired stays. */
export const erasePresence = (tx: Tx, scope: Scope, sessionId: string): Promise<void> =>
  deletePresence(tx, scope, sessionId)
