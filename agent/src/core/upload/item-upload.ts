import { createHash, randomBytes } from 'node:crypto'
import type { CallOptions } from '@integrity/client/calls'
import { IntegrityError } from '@integrity/client/errors'
import type { Client } from '@integrity/client/every-endpoint'
import { bytesSource } from '@integrity/client/source'
import { isAboutUpload, uploadInParts } from '@integrity/client/upload-in-parts'
import type { UploadSteps } from '@integrity/client/upload-steps'
import { maxSmallBytes } from '@integrity/protocol'
import type { ItemHeader, ItemKind } from '../spool/types.ts'
import { beginBody, codecOf, hasLength, metaOf } from './item-words.ts'

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
  /** How long to wait for each answer, and what stops it. */
  readonly how: Pick<CallOptions, 'signal' | 'timeoutMs'>
  /** Called around each request that carries bytes, to measure the network. */
  readonly measured: <T>(bytes: number, request: Promise<T>) => Promise<T>
}

const smallEndpoints = {
  screenshot: 'agent.screenshots.upload',
  audio_chunk: 'agent.audioChunks.upload',
  system_audio_chunk: 'agent.systemAudio.upload',
  camera_frame: 'agent.cameraFrames.upload',
  camera_clip: 'agent.cameraClips.upload',
} as const satisfies Partial<Record<ItemKind, string>>

type SmallKind = keyof typeof smallEndpoints

const isSmallKind = (kind: ItemKind): kind is SmallKind => kind in smallEndpoints

const fitsOneRequest = (header: ItemHeader): boolean => header.sizeBytes <= maxSmallBytes && hasLength(header)

const sendSmall = async (upload: ItemUpload, kind: SmallKind): Promise<void> => {
  const { client, sessionId, header, bytes, how } = upload
  const raw = { bytes, contentType: header.contentType, meta: metaOf(header) as never }
  await upload.measured(bytes.length, client.call(smallEndpoints[kind], { params: { id: sessionId }, raw, ...how }))
}

/** A whole that is refused so often is refused for good. */
const maxRefusedWholes = 2

/**
 * W3C Trace Context: where the service keeps traces, the requests of one upload are found together. Nothing is recorded here,
 * and the flag says so; the service decides by the id.
 */
const newTrace = (): { readonly traceparent: string } => ({
  traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`,
})

/** The requests of a chunked upload, measured; `onConflict` is told of those that are about the upload, not the item. */
const stepsOf = (upload: ItemUpload, onConflict: (error: unknown) => void): UploadSteps => {
  const { client, sessionId, header } = upload
  const how = { ...upload.how, headers: newTrace() }
  const params = { id: sessionId }
  const noting = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step
    } catch (error) {
      if (isAboutUpload(error)) onConflict(error)
      throw error
    }
  }
  return {
    async begin() {
      const body = beginBody(header)
      if (header.kind !== 'system_audio_chunk')
        return (
          await client.call('agent.uploads.begin', { params, body: { ...body, evidenceType: header.kind }, ...how })
        ).data
      const { durationMs = 1 } = body
      const codec = codecOf(header) ?? 'opus'
      const chunk = { ...body, evidenceType: header.kind, durationMs, codec }
      return (await client.call('agent.systemAudio.begin', { params, body: chunk, ...how })).data
    },
    async part(uploadId, { index, bytes, sha256 }) {
      const raw = { bytes, contentType: 'application/octet-stream', meta: { index, sha256 } }
      const request = client.call('agent.uploads.part', { params: { uploadId }, raw, ...how })
      await noting(upload.measured(bytes.length, request))
    },
    async complete(uploadId) {
      try {
        return (await noting(client.call('agent.uploads.complete', { params: { uploadId }, ...how }))).data
      } catch (error) {
        if (!(error instanceof IntegrityError) || error.status !== 400) throw error
        // The whole did not have the declared hash, or is not what it says: the parts are discarded, another try begins again.
        upload.keepUploadId(undefined)
        if (upload.attempts >= maxRefusedWholes) throw error
        throw new Error(`the whole was refused: ${error.message}`, { cause: error })
      }
    },
    status: async (uploadId) => (await client.call('agent.uploads.status', { params: { uploadId }, ...how })).data,
  }
}

const sendChunked = async (upload: ItemUpload): Promise<void> => {
  let conflict: unknown
  const steps = stepsOf(upload, (error) => {
    conflict = error
  })
  try {
    await uploadInParts({
      steps,
      source: bytesSource(upload.bytes),
      sha256: async (bytes) => createHash('sha256').update(bytes).digest('hex'),
      // Items go side by side instead.
      parallel: 1,
      uploadId: upload.uploadId,
      onUpload: upload.keepUploadId,
    })
  } catch (error) {
    // The item itself was not refused.
    if (error === conflict)
      throw new Error(`the upload of ${upload.header.clientId} stays incomplete`, { cause: error })
    throw error
  }
}

/** Resolves once the server has acknowledged the whole item; throws `IntegrityError` otherwise. */
export const uploadItem = async (upload: ItemUpload): Promise<void> => {
  const { kind } = upload.header
  if (isSmallKind(kind) && fitsOneRequest(upload.header)) await sendSmall(upload, kind)
  else await sendChunked(upload)
}
