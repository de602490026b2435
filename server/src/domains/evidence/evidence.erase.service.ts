import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Tx } from '../../platform/db/types.ts'
import { abortSessionUploads } from '../uploads/uploads.discard.service.ts'
import { buryRows, countErased, type Erasure, erasedSoFar, releaseObjects } from './erasure.store.ts'

/** Takes stored bytes away that no row needs; the job is durable, so a crash only delays it. */
export const removeBytesKind = 'evidence.remove_bytes'
export type RemoveBytes = { readonly sessionId: string } | { readonly storeKeys: readonly string[] }

export const enqueueRemoval = async (app: AppContext, tx: Tx, scope: Scope, payload: RemoveBytes): Promise<void> => {
  await app.jobs.enqueue(tx, scope, { kind: removeBytesKind, payload })
}

/**
 * Erases rows of a locked session: their objects are shredded with the last row that refers to them (the age header
 * goes in this transaction, the bytes follow by a job), tombstones stay, counts follow.
 */
export const eraseEvidence = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  erasure: Erasure,
  now: number,
): Promise<void> => {
  await releaseObjects(tx, scope, erasure, now)
  await countErased(tx, scope, erasure)
  const buried = await buryRows(tx, scope, erasure, now)
  if (buried > 0) await enqueueRemoval(app, tx, scope, { sessionId: erasure.sessionId })
}

/**
 * Erases everything captured in a locked session, uploads in flight included. `erasedBytes` are plain bytes, one count
 * for each row. Again: the same numbers, and nothing happens.
 */
export const eraseSessionEvidence = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  sessionId: string,
  now: number,
): Promise<{ erasedObjects: number; erasedBytes: number }> => {
  await abortSessionUploads(app, tx, scope, sessionId)
  await eraseEvidence(app, tx, scope, { sessionId }, now)
  return erasedSoFar(tx, scope, sessionId)
}
