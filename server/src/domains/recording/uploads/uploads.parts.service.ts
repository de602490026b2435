import { createHash, type Hash } from 'node:crypto'
import { invalid, ServiceError } from '@integrity/protocol'
import type { By, Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import { checkMagic, magicBytes } from '../../../platform/content/content-check.ts'
import { StorageError } from '../../../platform/storage/types.ts'
import { admitItem } from '../evidence/intake/intake.admit.service.ts'
import { findPart, insertPart, listParts } from './parts.store.ts'
import { refuseUpload } from './uploads.refuse.service.ts'
import { assertOpen, getUpload, lockUpload, partBytes, resumeSealed, type Uploader } from './uploads.service.ts'
import type { UploadRow } from './uploads.store.ts'

export interface Part {
  readonly index: number
  readonly sha256: string
  readonly bytes: Buffer
  /** A SHA-256 that has taken in the bytes, where somebody had to read them anyway. */
  readonly bytesHash?: Hash
}

/** As it is checked and sealed. */
type HashedPart = Part & { readonly bytesHash: Hash }

const hashed = (part: Part): HashedPart => ({
  ...part,
  bytesHash: part.bytesHash ?? createHash('sha256').update(part.bytes),
})

export interface PreparedPart {
  readonly upload: UploadRow
  readonly index: number
  readonly sha256: string
  readonly sizeBytes: number
}

const otherBytes = (index: number) =>
  new ServiceError('conflict', `other bytes are stored for part ${index}`, {
    details: [{ path: 'index', message: 'holds other bytes already' }],
  })

const checkPart = (upload: UploadRow, { index, sha256, bytes, bytesHash }: HashedPart): void => {
  if (index >= upload.partCount) throw invalid('index', `must be below ${upload.partCount}`)
  const expected = partBytes(upload, index)
  if (bytes.length !== expected) throw invalid('data', `part ${index} must have ${expected} bytes, not ${bytes.length}`)
  if (bytesHash.copy().digest('hex') !== sha256) throw invalid('sha256', 'is not the SHA-256 of the bytes that came')
}

/** What is not the declared content is refused as a whole: an upload that can never be completed would stay in the way. */
const checkBeginning = async (
  call: By<Uploader> & Needs<'audit' | 'db' | 'jobs' | 'openUploads' | 'scope'>,
  upload: UploadRow,
  { index, bytes }: Part,
): Promise<void> => {
  if (index !== 0) return
  try {
    checkMagic(bytes.subarray(0, magicBytes), upload.contentType)
  } catch (error) {
    throw error instanceof ServiceError ? await refuseUpload(call, { uploadId: upload.id, error }) : error
  }
}

/** Seals the part to its place; durable when it resolves. Only bytes whose hash was verified may come here. */
const storePart = (
  call: Reads & Needs<'buffers' | 'identities' | 'keyring' | 'openUploads' | 'sessionKeys' | 'store'>,
  upload: UploadRow,
  { index, sha256, bytes, bytesHash }: HashedPart,
): Promise<void> =>
  call.openUploads.use(
    upload.id,
    () => resumeSealed(call, upload),
    async (sealed) => {
      try {
        await sealed.writePart(index, bytes, sha256, bytesHash)
      } catch (error) {
        if (error instanceof StorageError && error.code === 'conflict') throw otherBytes(index)
        throw error
      }
    },
  )

/** Before the transaction: the part is checked and its sealed bytes are made durable. */
export const preparePart = async (
  call: Reads &
    By<Uploader> &
    Needs<
      'audit' | 'buffers' | 'clock' | 'db' | 'identities' | 'jobs' | 'keyring' | 'openUploads' | 'sessionKeys' | 'store'
    >,
  { uploadId, part: received }: { readonly uploadId: string; readonly part: Part },
): Promise<PreparedPart> => {
  const part = hashed(received)
  const now = call.clock.now()
  const upload = await getUpload(call, uploadId)
  await admitItem(call, { sessionId: upload.sessionId, item: upload })
  checkPart(upload, part)
  const { index, sha256, bytes } = part
  const known = await findPart(call.reader, call.scope, uploadId, index)
  const prepared = { upload, index, sha256, sizeBytes: bytes.length }
  // Whether they are the same bytes is asked in the transaction.
  if (known !== undefined) return prepared
  assertOpen(upload, now)
  await checkBeginning(call, upload, part)
  await storePart(call, upload, part)
  return prepared
}

/** In the transaction: remembers that the part is here. The same part again changes nothing. */
export const writePart = async (call: WriteCall<Uploader>, part: PreparedPart) => {
  const { tx, scope } = call
  const { index, sha256, sizeBytes } = part
  const upload = await lockUpload(call, part.upload.id)
  const known = await findPart(tx, scope, upload.id, index)
  if (known !== undefined && known !== sha256) throw otherBytes(index)
  if (known === undefined) {
    assertOpen(upload, call.clock.now())
    await insertPart(tx, scope, upload.id, { index, sha256, sizeBytes }, call.clock.now())
    await call.audit.append(call, {
      action: 'upload.part_stored',
      target: upload.id,
      sessionId: upload.sessionId,
      payload: { index, sha256 },
    })
  }
  return { index, receivedParts: await listParts(tx, scope, upload.id) }
}
