import { createHash } from 'node:crypto'
import { maxSmallBytes } from '@integrity/protocol'
import { type Client, ClientError } from '@integrity/protocol/client'
import type { ItemHeader, ItemKind } from '../spool/types.ts'

/** An item with its bytes on its way to the server. */
export interface ItemUpload {
  readonly client: Client
  readonly sessionId: string
  readonly header: ItemHeader
  readonly bytes: Buffer
  /** The chunked upload begun earlier for this item. */
  readonly uploadId: string | undefined
  /** Attempts that failed before this one. */
  readonly attempts: number
  /** Keeps the id of a chunked upload (or that there is none any more) before any part is sent. */
  readonly keepUploadId: (uploadId: string | undefined) => void
  /** A signal that ends a request of so many bytes when nothing moves, or when the uploader stops. */
  readonly signalFor: (bytes: number) => AbortSignal
  /** Called around each request that carries bytes, to measure the network. */
  readonly measured: <T>(bytes: number, request: Promise<T>) => Promise<T>
}

/** Header values are Latin-1 at most, and the metadata of small items travels in one. */
const plain = (text: string | undefined): string | undefined => text?.replace(/[^\x20-\x7e]/g, '?')

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : undefined

const smallEndpoints = {
  screenshot: 'agent.screenshots.upload',
  audio_chunk: 'agent.audioChunks.upload',
  camera_frame: 'agent.cameraFrames.upload',
  camera_clip: 'agent.cameraClips.upload',
} as const satisfies Partial<Record<ItemKind, string>>

type SmallKind = keyof typeof smallEndpoints

const isSmallKind = (kind: ItemKind): kind is SmallKind => kind in smallEndpoints

const metaOf = (header: ItemHeader): Record<string, unknown> => {
  const at = new Date(header.capturedAt).toISOString()
  const base = { clientId: header.clientId, contentType: header.contentType, sha256: header.sha256 }
  const size = { width: whole(header.meta.width), height: whole(header.meta.height) }
  const durationMs = Math.max(1, Math.round(header.durationMs ?? 0))
  const codec = plain(text(header.meta.codec))
  switch (header.kind) {
    case 'audio_chunk':
    case 'system_audio_chunk':
      return { ...base, sequence: header.sequence, startedAt: at, durationMs, codec: codec ?? 'opus' }
    case 'camera_clip':
    case 'screen_clip':
      return { ...base, capturedAt: at, durationMs, codec, ...size }
    case 'screenshot':
    case 'camera_frame':
      return {
        ...base,
        capturedAt: at,
        displayId: plain(header.displayId)?.slice(0, 100),
        ...size,
        trigger: plain(text(header.meta.trigger))?.slice(0, 50),
      }
  }
}

/** Stills have no duration; whatever else lacks one goes through the chunked upload, where it may be absent. */
const fitsOneRequest = (header: ItemHeader): boolean =>
  header.sizeBytes <= maxSmallBytes &&
  (header.kind === 'screenshot' || header.kind === 'camera_frame' || header.durationMs !== undefined)

const sendSmall = async (upload: ItemUpload, kind: SmallKind): Promise<void> => {
  const { client, sessionId, header, bytes } = upload
  const request = client.call(smallEndpoints[kind], {
    params: { id: sessionId },
    raw: { bytes, contentType: header.contentType, meta: metaOf(header) },
    signal: upload.signalFor(bytes.length),
  })
  await upload.measured(bytes.length, request)
}

interface Parts {
  readonly uploadId: string
  readonly partSize: number
  readonly missing: readonly number[]
}

const beginBody = (header: ItemHeader) => ({
  clientId: header.clientId,
  sizeBytes: header.sizeBytes,
  sha256: header.sha256,
  contentType: header.contentType,
  capturedAt: new Date(header.capturedAt).toISOString(),
  ...(header.durationMs === undefined ? {} : { durationMs: Math.max(1, Math.round(header.durationMs)) }),
  metadata: JSON.parse(JSON.stringify({ ...header.meta, sequence: header.sequence, displayId: header.displayId })),
})

/** Undefined when the server has the same bytes already. */
const begin = async (upload: ItemUpload): Promise<Parts | undefined> => {
  const { client, sessionId, header } = upload
  const call = { params: { id: sessionId }, signal: upload.signalFor(0) }
  const { data } =
    header.kind === 'system_audio_chunk'
      ? await client.call('agent.systemAudio.begin', {
          ...call,
          body: { ...beginBody(header), evidenceType: header.kind },
        })
      : await client.call('agent.uploads.begin', { ...call, body: { ...beginBody(header), evidenceType: header.kind } })
  if ('deduplicated' in data) return undefined
  upload.keepUploadId(data.uploadId)
  const here = new Set(data.receivedParts)
  const missing = Array.from({ length: data.partCount }, (_, index) => index).filter((index) => !here.has(index))
  return { uploadId: data.uploadId, partSize: data.partSize, missing }
}

/** What an upload begun earlier still lacks; `gone` when the server does not know it any more. */
const status = async (upload: ItemUpload, uploadId: string): Promise<Parts | 'completed' | 'gone'> => {
  try {
    const { data } = await upload.client.call('agent.uploads.status', {
      params: { uploadId },
      signal: upload.signalFor(0),
    })
    if (data.state === 'completed') return 'completed'
    if (data.state === 'aborted') return 'gone'
    return { uploadId, partSize: data.partSize, missing: data.missingParts }
  } catch (error) {
    if (error instanceof ClientError && error.status === 404 && error.code === 'not_found') return 'gone'
    throw error
  }
}

const sendParts = async (upload: ItemUpload, parts: Parts): Promise<void> => {
  for (const index of parts.missing) {
    const bytes = upload.bytes.subarray(index * parts.partSize, (index + 1) * parts.partSize)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const request = upload.client.call('agent.uploads.part', {
      params: { uploadId: parts.uploadId },
      raw: { bytes, contentType: 'application/octet-stream', meta: { index, sha256 } },
      signal: upload.signalFor(bytes.length),
    })
    await upload.measured(bytes.length, request)
  }
}

/** A whole that is refused so often is refused for good. */
const maxRefusedWholes = 2

const complete = async (upload: ItemUpload, uploadId: string): Promise<'completed' | 'incomplete'> => {
  try {
    await upload.client.call('agent.uploads.complete', { params: { uploadId }, signal: upload.signalFor(0) })
    return 'completed'
  } catch (error) {
    // A conflict may name missing parts, or say that the session was erased: the status tells which.
    if (error instanceof ClientError && error.status === 409 && error.retryAfterMs === undefined) {
      const after = await status(upload, uploadId)
      if (after === 'completed') return after
      if (after !== 'gone' && after.missing.length > 0) return 'incomplete'
    }
    if (error instanceof ClientError && error.status === 400) {
      // The whole did not have the declared hash, or is not what it says: the parts are discarded, another try begins anew.
      upload.keepUploadId(undefined)
      if (upload.attempts < maxRefusedWholes)
        throw new Error(`the whole was refused: ${error.message}`, { cause: error })
    }
    throw error
  }
}

/** How often missing parts are sent again within one attempt. */
const maxRounds = 3

const sendChunked = async (upload: ItemUpload): Promise<void> => {
  let parts: Parts | 'completed' | 'gone' | undefined =
    upload.uploadId === undefined ? 'gone' : await status(upload, upload.uploadId)
  if (parts === 'gone') {
    upload.keepUploadId(undefined)
    parts = await begin(upload)
  }
  for (let round = 0; parts !== undefined && parts !== 'completed'; round += 1) {
    if (parts === 'gone' || round === maxRounds)
      throw new Error(`the upload of ${upload.header.clientId} stays incomplete`)
    await sendParts(upload, parts)
    const uploadId: string = parts.uploadId
    parts = (await complete(upload, uploadId)) === 'completed' ? undefined : await status(upload, uploadId)
  }
}

/** Resolves once the server has acknowledged the whole item; throws `ClientError` otherwise. */
export const uploadItem = async (upload: ItemUpload): Promise<void> => {
  const { kind } = upload.header
  if (isSmallKind(kind) && fitsOneRequest(upload.header)) await sendSmall(upload, kind)
  else await sendChunked(upload)
}
