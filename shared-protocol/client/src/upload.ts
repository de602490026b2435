import type { Send } from './calls.ts'
import type { Evidence, EvidenceType } from './endpoint-types.ts'
import { sha256Hex } from './hashing.ts'
import type { Runtime } from './runtime.ts'
import type { Source } from './source.ts'
import { uploadInParts } from './upload-in-parts.ts'
import type { UploadProgress } from './upload-parts.ts'
import { hashSource, openSource, type UploadSource } from './upload-source.ts'
import { type BeginBody, uploadSteps } from './upload-steps.ts'

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
  readonly runtime: Runtime
  readonly signal: AbortSignal
  /** For an answer, beside the time that the bytes need. Milliseconds. */
  readonly timeoutMs: number
}

/** The service reads the whole again where parts came in another order. Bytes per millisecond. */
const slowestCheck = 10_000

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

/** Uploads one item of evidence of any size, in parts. */
export const uploadOf = async (context: UploadContext, options: UploadOptions): Promise<Uploaded> => {
  const { send, runtime, signal, timeoutMs } = context
  const { sessionId, parallel = 3, onProgress } = options
  const source = await openSource(options.source)
  try {
    const body = await describeItem(options, source, signal)
    const completeTimeoutMs = timeoutMs + Math.ceil(source.size / slowestCheck)
    const steps = uploadSteps({ call: send, sessionId, body, completeTimeoutMs })
    const done = await uploadInParts({ steps, source, runtime, signal, sha256: sha256Hex, parallel, onProgress })
    // Only a status, which these steps do not ask for, could say that it is complete without what it became.
    return done as Uploaded
  } finally {
    await source.close()
  }
}
