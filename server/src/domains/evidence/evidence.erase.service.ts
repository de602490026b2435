import type { Needs, Writes } from '../../kernel/call.ts'
import type { JobPayloads } from '../../kernel/jobs.types.ts'
import type { SessionEraser } from '../../kernel/session-eraser.ts'
import { buryRows, countErased, type Erasure, eraseClientIds, erasedSoFar, releaseObjects } from './erasure.store.ts'

/** Takes stored bytes away that no row needs; the job is durable, so a crash only delays it. */
export const enqueueRemoval = async (
  call: Writes & Needs<'jobs'>,
  payload: JobPayloads['evidence.remove_bytes'],
): Promise<void> => {
  await call.jobs.enqueue(call, { kind: 'evidence.remove_bytes', payload })
}

/**
 * Erases rows of a locked session: their objects are shredded with the last row that refers to them (the age header
 * goes in this transaction, the bytes follow by a job), tombstones stay, counts follow.
 */
export const eraseEvidence = async (call: Writes & Needs<'jobs'>, erasure: Erasure, now: number): Promise<void> => {
  const { tx, scope } = call
  await releaseObjects(tx, scope, erasure, now)
  await countErased(tx, scope, erasure)
  const buried = await buryRows(tx, scope, erasure, now)
  if (buried > 0) await enqueueRemoval(call, { sessionId: erasure.sessionId })
}

/** Everything captured in a locked session, tombstones aside. */
export const evidenceEraser: SessionEraser = {
  async erase(call, sessionId, erasedAt) {
    await eraseEvidence(call, { sessionId }, erasedAt)
    // Nothing more is taken of an erased session, so nothing has to be known again by its client's id.
    await eraseClientIds(call.tx, call.scope, sessionId)
    return erasedSoFar(call.tx, call.scope, sessionId)
  },
}
