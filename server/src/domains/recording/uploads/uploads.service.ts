import { type EvidenceType, evidenceTypes, notFound, ServiceError } from '@integrity/protocol'
import type { By, Needs, Reads, WriteCall, Writes } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { SealedUpload } from '../../../platform/storage/sealed-upload.ts'
import { orgIdentity } from '../../organisation/orgs/orgs.service.ts'
import { listParts } from './parts.store.ts'
import { discardUpload } from './uploads.discard.service.ts'
import { findUpload, findUploadForUpdate, type UploadRow } from './uploads.store.ts'

/** Who may upload in parts: the agent its own lanes, the phone the side view. */
export type Uploader = ActorOf<'agent' | 'companion'>

export const mayDeliver = (actor: Pick<Uploader, 'kind'>, evidenceType: EvidenceType): boolean =>
  (actor.kind === 'companion') === (evidenceTypes[evidenceType].lane === 'side_view')

/** The caller's own upload; one of another session, or of the other device, is not there. */
export const getUpload = async (call: Reads & By<Uploader>, uploadId: string): Promise<UploadRow> => {
  const { actor } = call
  const upload = await findUpload(call.reader, call.scope, actor.sessionId, uploadId)
  if (!upload || !mayDeliver(actor, upload.evidenceType)) throw notFound('upload')
  return upload
}

/** Reads one's own upload and holds it until the commit. */
export const lockUpload = async (call: Writes & By<Uploader>, uploadId: string): Promise<UploadRow> => {
  const { actor } = call
  const upload = await findUploadForUpdate(call.tx, call.scope, uploadId)
  if (!upload || upload.sessionId !== actor.sessionId || !mayDeliver(actor, upload.evidenceType))
    throw notFound('upload')
  return upload
}

/** An upload whose time is over counts as discarded, whether it was swept yet or not. */
export const stateOf = (upload: UploadRow, now: number): UploadRow['state'] =>
  upload.state === 'open' && now >= upload.expiresAt ? 'aborted' : upload.state

/** Throws `conflict` unless the upload can still take parts and be completed. */
export const assertOpen = (upload: UploadRow, now: number): void => {
  const state = stateOf(upload, now)
  if (state === 'completed') throw new ServiceError('conflict', 'this upload is completed')
  if (state === 'aborted')
    throw new ServiceError('conflict', 'this upload was discarded or has expired; begin it again')
}

/** Exact bytes of a part. */
export const partBytes = (upload: Pick<UploadRow, 'sizeBytes' | 'partSize'>, index: number): number =>
  Math.min(upload.partSize, upload.sizeBytes - index * upload.partSize)

export const missingOf = (partCount: number, received: readonly number[]): number[] => {
  const here = new Set(received)
  return Array.from({ length: partCount }, (_, index) => index).filter((index) => !here.has(index))
}

/** Opens the files of an upload from its row, after a restart as well. */
export const resumeSealed = async (
  call: Reads & Needs<'buffers' | 'identities' | 'keyring' | 'sessionKeys' | 'store'>,
  upload: UploadRow,
): Promise<SealedUpload> => {
  if (upload.header === null || upload.nonce === null) throw new ServiceError('conflict', 'this upload is over')
  const header = await call.sessionKeys.open(call.reader, { ...call.scope, ...upload }, upload.header)
  return SealedUpload.resume({
    store: call.store,
    key: upload.storeKey,
    size: upload.sizeBytes,
    partSize: upload.partSize,
    buffers: call.buffers,
    state: { header, nonce: upload.nonce },
    identity: await orgIdentity(call, call.scope.orgId),
  })
}

/** Which parts are here. A completed upload has all of them, a discarded one none. */
export const uploadStatus = async (call: Reads & By<Uploader> & Needs<'clock'>, uploadId: string) => {
  const upload = await getUpload(call, uploadId)
  const state = stateOf(upload, call.clock.now())
  const receivedParts = state === 'aborted' ? [] : await listParts(call.reader, call.scope, uploadId)
  const { partSize, partCount } = upload
  const missingParts = missingOf(partCount, receivedParts)
  const expiresAt = new Date(upload.expiresAt).toISOString()
  return { uploadId, state, partSize, partCount, receivedParts, missingParts, expiresAt }
}

/** Discards an upload in flight. Again: the same answer. A completed one is evidence, and a `conflict`. */
export const abortUpload = async (call: WriteCall<Uploader> & Needs<'openUploads'>, uploadId: string) => {
  const upload = await lockUpload(call, uploadId)
  if (upload.state === 'completed') throw new ServiceError('conflict', 'this upload is completed; it is evidence now')
  if (upload.state === 'open') await discardUpload(call, { upload, action: 'upload.aborted', reason: 'asked for' })
  return { uploadId, state: 'aborted' as const }
}
