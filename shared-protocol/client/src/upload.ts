import type { Send } from './calls.ts'
import type { Endpoints, Evidence, EvidenceType } from './endpoint-types.ts'
import { IntegrityApiError } from './errors.ts'
import { sendParts } from './upload-parts.ts'
import { hashSource, openSource, type Source, type UploadSource } from './upload-source.ts'

export interface UploadProgress {
  readonly phase: 'hashing' | 'sending'
  /** Hashed, or in the service's hands, those of an earlier run included. */
  readonly doneBytes: number
  readonly totalBytes: number
}

export interface UploadOptions {
  readonly sessionId: string
  readonly source: UploadSource
  readonly evidenceType: EvidenceType
  readonly contentType: string
  /** When it was captured. */
  readonly capturedAt: string | Date
  readonly durationMs?: number
  /** Free JSON fields, up to 16,384 characters. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /**
   * Your own id of this item: the same again goes on with an interrupted upload, or finds that it is done. The SHA-256
   * of the bytes unless given, so that the same file is uploaded once for each session.
   */
  readonly clientId?: string
  /** Lower-case hex, if you know it: the bytes are then read once instead of twice. A stream needs it. */
  readonly sha256?: string
  /** Bytes of each part but the last, 1 to 16 MiB in multiples of 65,536; the service's 4 MiB unless given. */
  readonly partSize?: number
  /** Parts on their way at once; each is held in memory. 3 unless given. */
  readonly parallel?: number
  readonly onProgress?: (progress: UploadProgress) => void
  /** Stops at once. What has arrived stays for 24 hours: the same call later goes on from there. */
  readonly signal?: AbortSignal
}

export interface Uploaded {
  readonly evidence: Evidence
  /** True when the bytes were here before, so that none were sent. */
  readonly deduplicated: boolean
  /** Parts that an earlier run had sent. */
  readonly resumedParts: number
}

export interface UploadContext {
  readonly send: Send
  readonly signal: AbortSignal
  /** For an answer, beside the time that the bytes need. Milliseconds. */
  readonly timeoutMs: number
}

type BeginBody = Endpoints['agent.uploads.begin']['body']

/** Times that an upload is begun again when the service says that it is not what we thought. */
const ROUNDS = 3
/** The service reads the whole again where parts came in another order. Bytes per millisecond. */
const SLOWEST_CHECK = 10_000

const describeItem = async (options: UploadOptions, source: Source, signal: AbortSignal): Promise<BeginBody> => {
  if (!source.replayable && options.sha256 === undefined)
    throw new TypeError('a stream can be read once only: pass the sha256 of its bytes')
  const progress = (doneBytes: number) => options.onProgress?.({ phase: 'hashing', doneBytes, totalBytes: source.size })
  const sha256 = options.sha256 ?? (await hashSource(source, signal, progress))
  const { evidenceType, contentType, capturedAt, durationMs, metadata, partSize } = options
  return {
    clientId: options.clientId ?? sha256,
    evidenceType,
    sizeBytes: source.size,
    sha256,
    contentType,
    capturedAt: typeof capturedAt === 'string' ? capturedAt : capturedAt.toISOString(),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(partSize === undefined ? {} : { partSize }),
  }
}

type Begun = Exclude<Endpoints['agent.uploads.begin']['result'], { readonly deduplicated: true }>

/** Sends what is missing and completes. */
const finish = async (
  context: UploadContext,
  options: UploadOptions,
  source: Source,
  begun: Begun,
): Promise<Evidence> => {
  const { send, signal, timeoutMs } = context
  await sendParts(context, source, begun, options)
  const params = { uploadId: begun.uploadId }
  const how = { signal, repeatable: true, timeoutMs: timeoutMs + Math.ceil(source.size / SLOWEST_CHECK) }
  return (await send('agent.uploads.complete', { params, ...how })).data
}

/**
 * Uploads one item of evidence in parts: begin, parts, complete. Beginning is by `clientId`, a part by its index and
 * hash, so each step can be repeated, and an upload that was cut off goes on when it is asked for again.
 */
export const uploadOf = async (context: UploadContext, options: UploadOptions): Promise<Uploaded> => {
  const { send, signal } = context
  const source = await openSource(options.source)
  try {
    const body = await describeItem(options, source, signal)
    for (let round = 1; ; round += 1) {
      const params = { id: options.sessionId }
      const { data: begun } = await send('agent.uploads.begin', { params, body, signal, repeatable: true })
      if ('deduplicated' in begun) return { evidence: begun.evidence, deduplicated: true, resumedParts: 0 }
      try {
        const evidence = await finish(context, options, source, begun)
        return { evidence, deduplicated: false, resumedParts: begun.receivedParts.length }
      } catch (error) {
        // It expired, or parts were found damaged: the service has discarded it and wants it begun again.
        const again = error instanceof IntegrityApiError && error.code === 'conflict' && source.replayable
        if (!again || round === ROUNDS) throw error
      }
    }
  } finally {
    await source.close()
  }
}
