import type { Needs, Writes } from '../../../kernel/call.ts'
import type { JobPayloads } from '../../../kernel/jobs.types.ts'
import type { DomainEraser, Erased } from '../../../kernel/session-eraser.ts'
import {
  buryRows,
  countErased,
  type Erasure,
  eraseClientIds,
  erasedSoFar,
  measureFirst,
  releaseObjects,
  sumPending,
} from './erasure.store.ts'
import { type Amount, addUsage } from './usage.store.ts'

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
const eraseRows = async ({ tx, scope }: Writes, erasure: Erasure, now: number): Promise<readonly Amount[]> => {
  const gone = await sumPending(tx, scope, erasure)
  if (gone.length === 0) return gone
  await releaseObjects(tx, scope, erasure, now)
  await countErased(tx, scope, erasure.sessionId, gone)
  await buryRows(tx, scope, erasure, now)
  return gone
}

/** The organisation's counts are behind the head of its chain, as everywhere. */
const counting =
  ({ tx, scope }: Writes, gone: readonly Amount[], now: number) =>
  (): Promise<void> =>
    addUsage(tx, scope.orgId, now, { erased: gone })

/** The first rows of a locked session that are still there, so many at most. */
export const eraseSomeEvidence = async (
  call: Writes & Needs<'jobs'>,
  { sessionId, limit, now }: { readonly sessionId: string; readonly limit: number; readonly now: number },
): Promise<Erased> => {
  const first = await measureFirst(call.tx, call.scope, sessionId, limit)
  if (!first) return { erasedObjects: 0, erasedBytes: 0 }
  const { from, until, objects, bytes } = first
  const gone = await eraseRows(call, { sessionId, until }, now)
  await enqueueRemoval(call, { sessionId, from, until })
  // The session's key stays with the rest of it, so nothing but the headers themselves keeps what went from being read.
  await call.jobs.enqueue(call, {
    kind: 'evidence.scrub',
    payload: { partly: true },
    dedupeKey: 'evidence.scrub.partly',
  })
  return { erasedObjects: objects, erasedBytes: bytes, count: counting(call, gone, now) }
}

/** Everything captured in a locked session, tombstones aside. */
export const evidenceEraser = (): DomainEraser => ({
  order: 20,
  async erase(call, sessionId, erasedAt) {
    const gone = await eraseRows(call, { sessionId }, erasedAt)
    if (gone.length > 0) await enqueueRemoval(call, { sessionId })
    // Nothing more is taken of an erased session, so nothing has to be known again by its client's id.
    await eraseClientIds(call.tx, call.scope, sessionId)
    return { ...(await erasedSoFar(call.tx, call.scope, sessionId)), count: counting(call, gone, erasedAt) }
  },
})
