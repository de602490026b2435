import type { Scope } from '../../kernel/scope.ts'
import type { Tx } from '../../platform/db/types.ts'
import { deleteSegments } from './transcripts.store.ts'

/** Erases the words of a locked session; nothing of them stays. Answers how many segments there were. */
export const eraseTranscript = (tx: Tx, scope: Scope, sessionId: string): Promise<number> =>
  deleteSegments(tx, scope, sessionId)
