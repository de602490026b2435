import { type EvidenceType, ServiceError } from '@integrity/protocol'
import type { Needs, WriteCall, Writes } from '../../../kernel/call.ts'
import type { SessionRow } from '../../sessions/sessions.types.ts'
import { sessionRef } from '../../sessions/sessions.view.ts'
import { enqueueRemoval } from '../evidence.erase.service.ts'
import { type EvidenceRow, findStored } from '../evidence.service.ts'
import { insertEvidence, type NewEvidence, takePositions } from '../evidence.store.ts'
import { insertObject, shareObjectOf } from '../objects.store.ts'

/** What the client says about an item, after it was checked against the bytes. */
export interface ItemFacts {
  readonly evidenceType: EvidenceType
  readonly clientId: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly contentType: string
  /** Epoch milliseconds. */
  readonly capturedAt: number
  readonly durationMs: number | null
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Sealed bytes that lie in the store, durably, and have no row yet. */
export interface StoredBytes {
  readonly storeKey: string
  readonly header: string
}

/**
 * Where an object's bytes lie: `<orgId>/<objectId>`. The last segment is the id of the `objects` row, so what a crash
 * between store and row leaves behind can be told from the rest: a key of the store without such a row or upload.
 */
export const newStoreKey = (call: Needs<'newId' | 'scope'>): string => `${call.scope.orgId}/${call.newId('obj')}`
const objectIdOf = (storeKey: string): string => storeKey.slice(storeKey.indexOf('/') + 1)

export const clientIdTaken = () =>
  new ServiceError('conflict', 'other bytes are stored under this clientId', {
    details: [{ path: 'clientId', message: 'belongs to an item with other bytes' }],
  })

export interface Recorded {
  readonly row: EvidenceRow
  /** False when the item was here already. */
  readonly created: boolean
}

/** The object of the new row: one the session already holds with these bytes, else the one just stored. */
const attachObject = async (
  call: Writes & Needs<'clock' | 'jobs'>,
  facts: ItemFacts,
  twin: EvidenceRow | undefined,
  stored: StoredBytes | undefined,
): Promise<string> => {
  const { tx, scope } = call
  if (twin && (await shareObjectOf(tx, scope, twin.id))) {
    if (stored) await enqueueRemoval(call, { storeKeys: [stored.storeKey] })
    return twin.objectId
  }
  if (!stored)
    throw new ServiceError('conflict', 'the bytes this item shared were erased meanwhile; send it again', {
      headers: { 'Retry-After': '1' },
    })
  const objectId = objectIdOf(stored.storeKey)
  const { sizeBytes, sha256 } = facts
  await insertObject(tx, scope, { ...stored, objectId, sizeBytes, sha256, createdAt: call.clock.now() })
  return objectId
}

const announce = async (call: WriteCall & Needs<'metrics'>, session: SessionRow, row: EvidenceRow): Promise<void> => {
  const { tx } = call
  const { evidenceType, sizeBytes, sha256 } = row
  await call.audit.append(call, {
    action: 'evidence.stored',
    target: row.id,
    sessionId: session.id,
    payload: { evidenceType, sizeBytes, sha256 },
  })
  const evidence = { id: row.id, evidenceType, sizeBytes, capturedAt: new Date(row.capturedAt).toISOString() }
  await call.outbox.publish(call, {
    type: 'evidence.ready',
    sessionId: session.id,
    data: { session: sessionRef(session), evidence },
  })
  tx.afterCommit(() => call.metrics.stored(evidenceType, sizeBytes))
}

/**
 * Makes the row of an item, in the order of storing, with its audit row and event. Call with the session locked and
 * the capture admitted. The same clientId with the same bytes answers the row that is there; with other bytes it is a
 * `conflict`. The same bytes under another clientId are another observation: a row of its own that shares the object.
 * Stored bytes that turn out superfluous are taken away by a job.
 */
export const recordEvidence = async (
  call: WriteCall & Needs<'metrics'>,
  session: SessionRow,
  facts: ItemFacts,
  stored: StoredBytes | undefined,
): Promise<Recorded> => {
  const { tx, scope } = call
  const place = { sessionId: session.id, evidenceType: facts.evidenceType }
  const found = await findStored(call, { ...place, clientId: facts.clientId, sha256: facts.sha256 })
  if (found.same) {
    if (found.same.sha256 !== facts.sha256) throw clientIdTaken()
    if (stored) await enqueueRemoval(call, { storeKeys: [stored.storeKey] })
    return { row: found.same, created: false }
  }
  const objectId = await attachObject(call, facts, found.bytes, stored)
  const positions = await takePositions(tx, scope, place, facts.sizeBytes)
  const row: NewEvidence = {
    ...facts,
    ...place,
    ...positions,
    id: call.newId('evd'),
    objectId,
    metadata: JSON.stringify(facts.metadata),
    createdAt: call.clock.now(),
  }
  await insertEvidence(tx, scope, row)
  const { typePosition: _, ...kept } = row
  const made: EvidenceRow = { ...kept, erasedAt: null }
  await announce(call, session, made)
  return { row: made, created: true }
}
