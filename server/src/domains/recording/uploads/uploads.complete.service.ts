import { invalid, ServiceError } from '@integrity/protocol'
import type { By, Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import { isImage } from '../../../platform/content/content-check.ts'
import { AgeError } from '../../../platform/crypto/age-error.ts'
import { checkMedia } from '../../../platform/media/media-check.ts'
import { openSealed } from '../../../platform/storage/sealed-object.ts'
import type { SealedUpload } from '../../../platform/storage/sealed-upload.ts'
import type { CaptureSignature } from '../../interviews/capture-keys/capture-keys.service.ts'
import { orgIdentity } from '../../organisation/orgs/orgs.service.ts'
import { getEvidence } from '../evidence/evidence.service.ts'
import type { Item } from '../evidence/evidence.types.ts'
import { admitItem, lockForItem } from '../evidence/intake/intake.admit.service.ts'
import { lengthOf } from '../evidence/intake/intake.item.model.ts'
import { type Recorded, recordEvidence } from '../evidence/intake/intake.record.service.ts'
import { StillFinishing } from './open-uploads.parts.ts'
import { listParts } from './parts.store.ts'
import { refuseUpload } from './uploads.refuse.service.ts'
import {
  assertOpen,
  getUpload,
  lockUpload,
  missingOf,
  resumeSealed,
  stateOf,
  type Uploader,
} from './uploads.service.ts'
import { closeUpload, type UploadRow } from './uploads.store.ts'

const partsMissing = (missing: readonly number[]) =>
  new ServiceError('conflict', `${missing.length} of the parts are missing`, {
    details: missing.slice(0, 100).map((index) => ({ path: `parts.${index}`, message: 'is missing' })),
    extra: { missingParts: missing },
  })

/** The hash of the whole; undefined when what is stored is damaged. */
const totalOf = async (sealed: SealedUpload): Promise<string | undefined> => {
  try {
    return await sealed.verifyTotal()
  } catch (error) {
    if (error instanceof AgeError) return undefined
    throw error
  }
}

const itemOf = (upload: UploadRow): Item => ({
  evidenceType: upload.evidenceType,
  clientId: upload.clientId,
  sizeBytes: upload.sizeBytes,
  sha256: upload.sha256,
  contentType: upload.contentType,
  capturedAt: upload.capturedAt,
  durationMs: upload.durationMs,
  metadata: JSON.parse(upload.metadata) as Record<string, unknown>,
  ...(upload.captureSignature === null
    ? {}
    : { captureSignature: JSON.parse(upload.captureSignature) as CaptureSignature }),
})

type Verifies = Reads & Needs<'identities' | 'keyring' | 'pictures' | 'sessionKeys' | 'store'>

/** What was found when the content was looked at. */
interface Content {
  readonly durationMs: number | null
  readonly decodable: boolean | null
}

export type PreparedComplete = UploadRow & Partial<Content>

/** Reads a picture back, which is at most 8 MiB; of it and of a recording its container is read. */
const checkContent = async (call: Verifies, upload: UploadRow): Promise<Partial<Content>> => {
  if (upload.header === null) return {}
  const identity = await orgIdentity(call, call.scope.orgId)
  const header = await call.sessionKeys.open(call.reader, { ...call.scope, ...upload }, upload.header)
  const { sizeBytes, storeKey, contentType } = upload
  const read = async (start: number, length: number): Promise<Buffer> => {
    // Whoever walks a container looks behind its last element.
    if (start >= sizeBytes) return Buffer.alloc(0)
    const pieces: Buffer[] = []
    const range = { sizeBytes, start, end: Math.min(start + length, sizeBytes) }
    for await (const piece of openSealed(header, identity, call.store, storeKey, range)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  if (isImage(contentType)) {
    const whole = await read(0, sizeBytes)
    const { decoded } = await call.pictures.look(call.scope, upload.sessionId, whole, contentType)
    return { decodable: decoded ? true : null }
  }
  const { durationMs, readable } = await checkMedia({ read, sizeBytes }, contentType)
  return { durationMs: lengthOf(itemOf(upload), durationMs), decodable: readable ? null : false }
}

/** Verifies the whole and moves it into its place, durably. Answers a refusal for bytes that are not what was declared. */
const bringToPlace = async (upload: UploadRow, sealed: SealedUpload): Promise<ServiceError | undefined> => {
  const total = await totalOf(sealed)
  if (total === undefined)
    return new ServiceError('conflict', 'the stored parts were damaged and are discarded; begin this upload again')
  if (total !== upload.sha256) return invalid('sha256', 'is not the SHA-256 of the parts together; they are discarded')
  await sealed.finish()
  return undefined
}

/**
 * Another process may have brought it to its place a moment earlier, and taken the parts away from under this one. So whatever
 * goes wrong with them, the object is looked for before anybody is refused.
 */
const finishOrFind = async (
  call: Verifies & Needs<'buffers'>,
  upload: UploadRow,
  sealed: SealedUpload,
): Promise<ServiceError | undefined> => {
  const failed = await bringToPlace(upload, sealed).catch((error: unknown) => ({ error }))
  if (failed === undefined || !(await call.store.exists(upload.storeKey).catch(() => false))) return orThrow(failed)
  const there = await resumeSealed(call, upload)
  try {
    return await bringToPlace(upload, there)
  } finally {
    await there.close()
  }
}

const orThrow = (failed: ServiceError | { readonly error: unknown } | undefined): ServiceError | undefined => {
  if (failed === undefined || failed instanceof ServiceError) return failed
  throw failed.error
}

const verifyAndFinish = async (
  call: Verifies & Needs<'buffers'>,
  upload: UploadRow,
  sealed: SealedUpload,
): Promise<ServiceError | Partial<Content>> => {
  const refused = await finishOrFind(call, upload, sealed)
  if (refused) return refused
  try {
    return await checkContent(call, upload)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error
    // Nothing is wrong with the picture: it can be completed later.
    throw error
  }
}

/**
 * A recording may have 2 GiB, and a bucket may be slow: what takes longer than anybody between waits goes on by itself, and a
 * repetition finds what became of it.
 */
const finishInTime = async (
  call: Verifies & Needs<'buffers' | 'config' | 'openUploads'>,
  upload: UploadRow,
): Promise<ServiceError | Partial<Content>> => {
  try {
    return await call.openUploads.finish(
      upload.id,
      () => resumeSealed(call, upload),
      (sealed) => verifyAndFinish(call, upload, sealed),
      call.config.limits.completeMs,
    )
  } catch (error) {
    if (!(error instanceof StillFinishing)) throw error
    throw new ServiceError('service_unavailable', 'the upload is still being verified and stored; ask again', {
      headers: { 'Retry-After': '2' },
      cause: error,
    })
  }
}

/**
 * Before the transaction: all parts are here, the whole has the declared hash, and its object is in its place. A
 * kill after this finds it there when complete is asked for again.
 */
export const prepareComplete = async (
  call: Reads &
    By<Uploader> &
    Verifies &
    Needs<'audit' | 'buffers' | 'clock' | 'config' | 'db' | 'jobs' | 'openUploads'>,
  uploadId: string,
): Promise<PreparedComplete> => {
  const now = call.clock.now()
  const upload = await getUpload(call, uploadId)
  await admitItem(call, { sessionId: upload.sessionId, item: upload })
  if (stateOf(upload, now) === 'completed') return upload
  assertOpen(upload, now)
  const missing = missingOf(upload.partCount, await listParts(call.reader, call.scope, uploadId))
  if (missing.length > 0) throw partsMissing(missing)
  const found = await finishInTime(call, upload)
  if (found instanceof ServiceError) throw await refuseUpload(call, { uploadId, error: found })
  return { ...upload, ...found }
}

/** In the transaction: the evidence row, its audit row and event, and the end of the upload. Again: the same row. */
export const completeUpload = async (
  call: WriteCall<Uploader> & Needs<'keyring' | 'metrics'>,
  prepared: PreparedComplete,
): Promise<Recorded> => {
  const session = await lockForItem(call, { sessionId: prepared.sessionId, item: prepared })
  const upload = await lockUpload(call, prepared.id)
  if (upload.state === 'completed' && upload.evidenceId !== null) {
    return { row: await getEvidence(call, upload.evidenceId), created: false }
  }
  assertOpen(upload, call.clock.now())
  if (upload.header === null) throw new Error(`the open upload ${upload.id} has no header`)
  const stored = { storeKey: upload.storeKey, header: upload.header }
  const { durationMs, decodable = null } = prepared
  const recorded = await recordEvidence(call, { session, item: { ...itemOf(upload), durationMs }, stored, decodable })
  await closeUpload(call.tx, call.scope, upload.id, { state: 'completed', evidenceId: recorded.row.id })
  return recorded
}
