import type { Writes } from '../../kernel/call.ts'
import { deleteSegments } from './transcripts.store.ts'

/** Erases the words of a locked session; nothing of them stays. Answers how many segments there were. */
export const eraseTranscript = (call: Writes, sessionId: string): Promise<number> =>
  deleteSegments(call.tx, call.scope, sessionId)
