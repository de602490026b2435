import { laneOfSource, ServiceError } from '@integrity/protocol'
import type { Needs, WriteCall, Writes } from '../../../kernel/call.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { verifyCapture } from '../../capture-keys/capture-keys.service.ts'
import { noteChange } from '../../reviews/changes.service.ts'
import { noteContact } from '../../sessions/sessions.read.service.ts'
import type { SessionRow } from '../../sessions/sessions.types.ts'
import { sessionRef } from '../../sessions/sessions.view.ts'
import { assertBound, bindingOf } from '../evidence.binding.model.ts'
import { enqueueRemoval } from '../evidence.erase.service.ts'
import { evidenceRecords } from '../evidence.records.service.ts'
import { originOf, sentByOf, sourceOf } from '../evidence.source.model.ts'
import { insertEvidence, takePositions } from '../evidence.store.ts'
import type { EvidenceRow, Item, PlayPlace, StoredBytes } from '../evidence.types.ts'
import { findObjectOf, insertObject, shareObjectOf } from '../objects.store.ts'
import { playPlaceOf, sequenceOf } from '../playback.model.ts'
import { findNeighbours } from '../playback.store.ts'
import { addUsage } from '../usage.store.ts'
import { findKnown, lockForItem } from './intake.admit.service.ts'
import type { PreparedItem } from './intake.item.model.ts'

const objectIdOf = (storeKey: string): string => storeKey.slice(storeKey.indexOf('/') + 1)

export interface Recorded {
  readonly row: EvidenceRow
  /** False when the item was here already. */
  readonly created: boolean
}

/** The object of the new row: one the session already holds with these bytes, else the one just stored. */
const attachObject = async (
  call: Writes & Needs<'clock' | 'jobs' | 'keyring'>,
  item: Item,
  twin: EvidenceRow | undefined,
  stored: StoredBytes | undefined,
): Promise<StoredBytes & { readonly objectId: string }> => {
  const { tx, scope } = call
  if (twin && (await shareObjectOf(tx, scope, twin.id))) {
    if (stored) await enqueueRemoval(call, { storeKeys: [stored.storeKey] })
    const object = await findObjectOf(tx, scope, twin.id)
    if (!object?.header) throw new Error(`the object of ${twin.id} is there and has no header`)
    const { storeKey, header, mac } = object
    assertBound(call.keyring, { ...scope, ...twin, storeKey, header }, mac)
    return { objectId: twin.objectId, storeKey, header }
  }
  if (!stored)
    throw new ServiceError('conflict', 'the bytes this item shared were erased meanwhile; send it again', {
      headers: { 'Retry-After': '1' },
    })
  const objectId = objectIdOf(stored.storeKey)
  const { sizeBytes, sha256 } = item
  await insertObject(tx, scope, { ...stored, objectId, sizeBytes, sha256, createdAt: call.clock.now() })
  return { ...stored, objectId }
}

const announce = async (call: WriteCall & Needs<'metrics'>, session: SessionRow, row: EvidenceRow): Promise<void> => {
  const { tx } = call
  const { evidenceType, sizeBytes, sha256 } = row
  await call.audit.append(call, {
    action: 'evidence.stored',
    target: row.id,
    sessionId: session.id,
    payload: { evidenceType, sizeBytes, sha256 },
    records: evidenceRecords(row),
  })
  await addUsage(tx, call.scope.orgId, row.createdAt, { added: [{ evidenceType, objects: 1, sizeBytes }] })
  const evidence = {
    // What a display is called goes with an erasure, and what was published stays.
    ...{ id: row.id, evidenceType, source: laneOfSource(sourceOf(row)), sentBy: sentByOf(row), sizeBytes },
    capturedAt: new Date(row.capturedAt).toISOString(),
  }
  await call.outbox.publish(call, {
    type: 'evidence.ready',
    sessionId: session.id,
    data: { session: sessionRef(session), evidence },
  })
  tx.afterCommit(() => call.metrics.stored(evidenceType, sizeBytes))
}

const placeOf = async ({ tx, scope }: Writes, item: Item, sessionId: string): Promise<PlayPlace> => {
  const sequence = sequenceOf(item)
  if (sequence === undefined) return { sequence: -1, playedAt: null }
  const { capturedAt, evidenceType } = item
  return playPlaceOf({ capturedAt, sequence }, await findNeighbours(tx, scope, { sessionId, evidenceType }, sequence))
}

/**
 * Makes the row of an item, in the order of storing, with its audit row and event. Call with the session locked and
 * the capture admitted. The same clientId with the same bytes answers the row that is there; with other bytes it is a
 * `conflict`. The same bytes under another clientId are another observation: a row of its own that shares the object.
 * Stored bytes that turn out superfluous are taken away by a job.
 */
export const recordEvidence = async (
  call: WriteCall & Needs<'keyring' | 'metrics'>,
  { session, item, stored, decodable = null }: Omit<PreparedItem, 'sessionId'> & { readonly session: SessionRow },
): Promise<Recorded> => {
  const { tx, scope } = call
  const known = await findKnown(call, { sessionId: session.id, item })
  if (known.same) {
    if (stored) await enqueueRemoval(call, { storeKeys: [stored.storeKey] })
    return { row: known.same, created: false }
  }
  const object = await attachObject(call, item, known.bytes, stored)
  const place = { sessionId: session.id, evidenceType: item.evidenceType }
  const positions = await takePositions(tx, scope, place, item.sizeBytes)
  const { captureSignature: signed } = item
  const fits = signed && (await verifyCapture(call, { item: { ...item, sessionId: session.id }, signed }))
  const row: EvidenceRow = {
    ...item,
    ...place,
    ...positions,
    id: call.newId('evd'),
    objectId: object.objectId,
    metadata: JSON.stringify(item.metadata),
    ...originOf(call.actor, item),
    ...(await placeOf(call, item, session.id)),
    decodable: decodable === null ? (known.bytes?.decodable ?? null) : Number(decodable),
    createdAt: call.clock.now(),
    erasedAt: null,
    signingKey: signed?.key ?? null,
    signingSequence: signed?.sequence ?? null,
    signingPrevious: signed?.previous ?? null,
    signingSignature: signed?.signature ?? null,
    signingVerified: fits === undefined ? null : Number(fits),
  }
  await insertEvidence(tx, scope, { ...row, mac: bindingOf(call.keyring, { ...scope, ...row, ...object }) })
  await announce(call, session, row)
  if (session.state === 'ended') await noteChange(call, { session: sessionRef(session), cause: 'evidence' })
  return { row, created: true }
}

/** In the transaction: everything is asked again under the session's lock, then the row is made. */
export const recordPrepared = async (
  call: WriteCall<Actor> & Needs<'keyring' | 'metrics'>,
  { sessionId, ...prepared }: PreparedItem,
): Promise<Recorded> => {
  const session = await lockForItem(call, { sessionId, item: prepared.item })
  // The phone and the room are heard of by themselves; this is about the agent.
  if (call.actor.kind !== 'companion' && call.actor.kind !== 'room') await noteContact(call, session.id)
  return recordEvidence(call, { session, ...prepared })
}
