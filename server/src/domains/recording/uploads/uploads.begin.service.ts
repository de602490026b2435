import { type BodyOf, type EndpointMap, evidenceTypes, invalid, partSizes, ServiceError } from '@integrity/protocol'
import { type By, inTx, type Needs, type Reads, type WriteCall } from '../../../kernel/call.ts'
import { Reply } from '../../../kernel/handler.ts'
import { rateLimited } from '../../../kernel/rate-limited.ts'
import { SealedUpload, type SealedUploadState } from '../../../platform/storage/sealed-upload.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { Item } from '../evidence/evidence.types.ts'
import { evidenceView } from '../evidence/evidence.view.ts'
import { admitItem, admitNewBytes, findKnown, lockForItem } from '../evidence/intake/intake.admit.service.ts'
import { checkContentType, clientIdTaken } from '../evidence/intake/intake.item.model.ts'
import { newPlace } from '../evidence/intake/intake.prepare.service.ts'
import { recordEvidence } from '../evidence/intake/intake.record.service.ts'
import { listParts } from './parts.store.ts'
import { discardUpload, enqueueDiscard } from './uploads.discard.service.ts'
import { mayDeliver, stateOf, type Uploader } from './uploads.service.ts'
import {
  countOpenUploads,
  findOpenUpload,
  findUploadForUpdate,
  insertUpload,
  type NewUpload,
  type UploadRow,
} from './uploads.store.ts'

/** How long an upload may stay unfinished. Milliseconds. */
const uploadLifetimeMs = 24 * 3_600_000
/** Uploads that one session may have open at once. */
const mostOpenUploads = 50

type Body = BodyOf<EndpointMap['agent.uploads.begin']>

export interface PreparedBegin {
  readonly sessionId: string
  readonly item: Item
  readonly partSize: number
  /** Made beforehand unless the item is known: the file key and nonce of a new upload, whose files are in the store. */
  readonly opened: { readonly storeKey: string; readonly state: SealedUploadState } | undefined
}

const readItem = (body: Body): Item => {
  const { capturedAt, durationMs = null, codec, metadata = {}, partSize: _, ...rest } = body
  // Chunks of sound are played one after the other; the length is beside the codec.
  const length = body.evidenceType === 'system_audio_chunk' && durationMs !== null ? { durationMs } : {}
  const facts = { ...metadata, ...(codec === undefined ? {} : { codec }), ...length }
  const item = { ...rest, capturedAt: Date.parse(capturedAt), durationMs, metadata: facts }
  checkContentType(item)
  const { maxBytes } = evidenceTypes[item.evidenceType]
  if (item.sizeBytes > maxBytes) throw invalid('sizeBytes', `must be at most ${maxBytes} for ${item.evidenceType}`)
  return item
}

/** Consent, policy and declared limits; then, for an item not known yet, a file key and a place in the store. */
export const prepareBegin = async (
  call: Reads & By<Uploader> & Needs<'buffers' | 'clock' | 'newId' | 'sessionKeys' | 'store'>,
  { sessionId, body }: { readonly sessionId: string; readonly body: Body },
): Promise<PreparedBegin> => {
  const { scope } = call
  if (!mayDeliver(call.actor, body.evidenceType))
    throw new ServiceError('forbidden', `this credential may not deliver ${body.evidenceType}`)
  const item = readItem(body)
  const session = await admitItem(call, { sessionId, item })
  const prepared = { sessionId, item, partSize: body.partSize ?? partSizes.byDefault }
  const { bytes } = await findKnown(call, { sessionId, item })
  const open = bytes ? undefined : await findOpenUpload(call.reader, scope, { sessionId, ...item })
  if (bytes || (open && stateOf(open, call.clock.now()) === 'open')) return { ...prepared, opened: undefined }
  await admitNewBytes(call, { session, sizeBytes: item.sizeBytes })
  const place = await newPlace(call)
  const sealed = await SealedUpload.begin({
    ...place,
    store: call.store,
    size: item.sizeBytes,
    partSize: prepared.partSize,
    buffers: call.buffers,
  })
  await sealed.close()
  const header = await call.sessionKeys.seal(
    { orgId: scope.orgId, sessionId, storeKey: place.key },
    sealed.state.header,
  )
  return { ...prepared, opened: { storeKey: place.key, state: { ...sealed.state, header } } }
}

const begunView = (upload: NewUpload | UploadRow, receivedParts: number[]) => ({
  uploadId: upload.id,
  partSize: upload.partSize,
  partCount: upload.partCount,
  receivedParts,
  expiresAt: new Date(upload.expiresAt).toISOString(),
})

/** The open upload of the same item, to go on with. One of other bytes is a `conflict`; an expired one is discarded. */
const continueOpen = async (
  call: WriteCall<Uploader> & Needs<'openUploads'>,
  { sessionId, item }: PreparedBegin,
): Promise<UploadRow | undefined> => {
  const { tx, scope } = call
  const found = await findOpenUpload(tx, scope, { sessionId, ...item })
  const open = found && (await findUploadForUpdate(tx, scope, found.id))
  if (open?.state !== 'open') return undefined
  if (stateOf(open, call.clock.now()) === 'aborted') {
    await discardUpload(call, { upload: open, action: 'upload.aborted', reason: 'expired' })
    return undefined
  }
  if (open.sha256 !== item.sha256 || open.sizeBytes !== item.sizeBytes) throw clientIdTaken()
  return open
}

const openNew = async (
  call: WriteCall<Uploader>,
  session: SessionRow,
  { item, partSize, opened }: PreparedBegin,
): Promise<NewUpload> => {
  const { tx, scope } = call
  const now = call.clock.now()
  if (!opened)
    throw new ServiceError('conflict', 'this item changed meanwhile; begin again', { headers: { 'Retry-After': '1' } })
  if ((await countOpenUploads(tx, scope, session.id, now)) >= mostOpenUploads)
    throw rateLimited(`this session has ${mostOpenUploads} uploads open; complete or abort one first`, {
      limit: mostOpenUploads,
      waitSeconds: 10,
      windowSeconds: 10,
    })
  const upload: NewUpload = {
    ...item,
    ...opened.state,
    id: call.newId('upl'),
    sessionId: session.id,
    metadata: JSON.stringify(item.metadata),
    captureSignature: item.captureSignature ? JSON.stringify(item.captureSignature) : null,
    partSize,
    partCount: Math.ceil(item.sizeBytes / partSize),
    storeKey: opened.storeKey,
    createdAt: now,
    expiresAt: now + uploadLifetimeMs,
  }
  await insertUpload(tx, scope, upload)
  await call.audit.append(call, {
    action: 'upload.begun',
    target: upload.id,
    sessionId: session.id,
    payload: { evidenceType: item.evidenceType, sizeBytes: item.sizeBytes, sha256: item.sha256 },
  })
  return upload
}

/**
 * Opens an upload (201), goes on with the open one of the same clientId (200), or answers that the bytes are here
 * (200, `deduplicated`): the same row for the same clientId, for another one a row of its own that shares the object.
 */
export const beginUpload = async (
  call: WriteCall<Uploader> & Needs<'keyring' | 'metrics' | 'openUploads'>,
  begin: PreparedBegin,
) => {
  const { sessionId, item, opened } = begin
  const session = await lockForItem(call, { sessionId, item })
  const spare = async () => {
    if (opened) await enqueueDiscard(call, { ...opened, sizeBytes: item.sizeBytes })
  }
  const { bytes } = await findKnown(call, { sessionId, item })
  if (bytes) {
    const { row } = await recordEvidence(call, { session, item, stored: undefined })
    await spare()
    return new Reply({ deduplicated: true as const, evidence: evidenceView(row) }, { status: 200 })
  }
  const open = await continueOpen(call, begin)
  if (open) {
    await spare()
    return new Reply(begunView(open, await listParts(call.tx, call.scope, open.id)), { status: 200 })
  }
  const upload = await openNew(call, session, begin)
  return new Reply(begunView(upload, []), { status: 201 })
}

/** After a refusal or a replay. */
export const discardBegin = async (
  call: Needs<'db' | 'jobs' | 'log' | 'scope'>,
  begin: PreparedBegin,
): Promise<void> => {
  const { opened, item } = begin
  if (!opened) return
  await call.db
    .transact((tx) => enqueueDiscard(inTx(call, tx), { ...opened, sizeBytes: item.sizeBytes }))
    .catch((error: unknown) => call.log.warn({ err: error }, 'parts of an upload remain'))
}
