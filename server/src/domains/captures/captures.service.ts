import { createHash } from 'node:crypto'
import { type EvidenceType, evidenceTypes, invalid, type LaneName } from '@integrity/protocol'
import type { Actor } from '../../kernel/actor.ts'
import type { By, Needs, Reads, WriteCall } from '../../kernel/call.ts'
import { sealWhole } from '../../platform/storage/sealed-object.ts'
import { findStored } from '../evidence/evidence.service.ts'
import { checkMagic, checkPicture, checkPixels, isImage } from '../evidence/intake/content-check.ts'
import {
  clientIdTaken,
  type ItemFacts,
  newStoreKey,
  type Recorded,
  recordEvidence,
  type StoredBytes,
} from '../evidence/intake/intake.record.service.ts'
import { orgRecipients } from '../orgs/orgs.service.ts'
import { admitCapture } from '../sessions/sessions.policy.ts'
import { getSession, lockSession, noteContact } from '../sessions/sessions.read.service.ts'

/** One item as it came in one request, nothing of it checked against its bytes yet. */
export interface Capture {
  readonly sessionId: string
  readonly evidenceType: EvidenceType
  readonly clientId: string
  readonly contentType: string
  readonly sha256: string
  readonly bytes: Buffer
  readonly capturedAt: number
  readonly durationMs: number | null
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** Kept as it is, beside the pixels of pictures. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface PreparedCapture {
  readonly sessionId: string
  readonly lane: LaneName
  readonly facts: ItemFacts
  /** Absent when the session holds the same bytes already. */
  readonly stored: StoredBytes | undefined
}

/** Whose consent an item needs: the browser in the room is a lane of its own. */
const laneOf = (evidenceType: EvidenceType, actor: Pick<Actor, 'kind'>): LaneName =>
  actor.kind === 'room' ? 'room_camera' : evidenceTypes[evidenceType].lane

/** Holds the bytes to what was said about them. */
const checkFacts = async (capture: Capture): Promise<ItemFacts> => {
  const { bytes, width, height, sessionId: _, ...said } = capture
  const allowed: readonly string[] = evidenceTypes[capture.evidenceType].contentTypes
  if (!allowed.includes(capture.contentType)) throw invalid('contentType', `must be one of ${allowed.join(', ')}`)
  if (bytes.length === 0) throw invalid('data', 'is empty')
  if (createHash('sha256').update(bytes).digest('hex') !== capture.sha256)
    throw invalid('sha256', 'is not the SHA-256 of the bytes that came')
  const facts = { ...said, sizeBytes: bytes.length }
  if (!isImage(capture.contentType)) {
    checkMagic(bytes, capture.contentType)
    return { ...facts, metadata: defined({ ...said.metadata, width, height }) }
  }
  const picture = await checkPicture(bytes, capture.contentType)
  checkPixels({ width, height }, picture)
  return { ...facts, metadata: defined({ ...said.metadata, width: picture.width, height: picture.height }) }
}

const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/**
 * Before the transaction: consent, policy and time, then the bytes themselves, then the store. When it resolves the
 * sealed bytes are durable, or known to be here already.
 */
export const prepareCapture = async (
  call: Reads & By<Actor> & Needs<'clock' | 'newId' | 'store'>,
  capture: Capture,
): Promise<PreparedCapture> => {
  const { sessionId, bytes } = capture
  const lane = laneOf(capture.evidenceType, call.actor)
  admitCapture(await getSession(call, sessionId), lane, capture.evidenceType, capture.capturedAt, call.clock.now())
  const facts = await checkFacts(capture)
  const found = await findStored(call, { sessionId, ...facts })
  if (found.same && found.same.sha256 !== facts.sha256) throw clientIdTaken()
  const prepared = { sessionId, lane, facts }
  if (found.bytes) return { ...prepared, stored: undefined }
  const storeKey = newStoreKey(call)
  const recipients = await orgRecipients(call, call.scope.orgId)
  const options = { store: call.store, key: storeKey, size: bytes.length, recipients, expectedSha256: facts.sha256 }
  const { header } = await sealWhole(once(bytes), options)
  return { ...prepared, stored: { storeKey, header } }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** In the transaction: everything is asked again under the session's lock, then the row is made. */
export const writeCapture = async (
  call: WriteCall<Actor> & Needs<'metrics'>,
  prepared: PreparedCapture,
): Promise<Recorded> => {
  const { actor } = call
  const session = await lockSession(call, prepared.sessionId)
  admitCapture(session, prepared.lane, prepared.facts.evidenceType, prepared.facts.capturedAt, call.clock.now())
  // The phone and the room are heard of by themselves; this is about the agent.
  if (actor.kind !== 'companion' && actor.kind !== 'room')
    await noteContact(call, session.id)
  return recordEvidence(call, session, prepared.facts, prepared.stored)
}

/** After a refusal or a replay. */
export const discardCapture = async (call: Needs<'log' | 'store'>, { stored }: PreparedCapture): Promise<void> => {
  if (!stored) return
  // The refusal is what the client must hear of, not that the tidying failed.
  await call.store
    .remove(stored.storeKey)
    .catch((error: unknown) => call.log.warn({ err: error }, 'stored bytes remain'))
}
