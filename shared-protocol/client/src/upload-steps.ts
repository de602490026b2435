import type { LooseInput } from './calls.ts'
import type { Endpoints, Evidence } from './endpoint-types.ts'

export type BeginBody = Endpoints['agent.uploads.begin']['body']

/** What the service knows of an upload. */
export interface UploadState {
  readonly uploadId: string
  readonly partSize: number
  readonly partCount: number
  readonly receivedParts: readonly number[]
}

/** The requests of one chunked upload. Each can be repeated as it is. */
export interface UploadSteps {
  /** The same item again answers the upload that is open, or that its bytes are here. */
  begin(signal: AbortSignal): Promise<UploadState | { readonly deduplicated: true; readonly evidence: Evidence }>
  part(uploadId: string, part: Part, signal: AbortSignal): Promise<void>
  complete(uploadId: string, signal: AbortSignal): Promise<Evidence>
  /** For uploads that are remembered by their id. */
  status?(uploadId: string, signal: AbortSignal): Promise<UploadState & { readonly state: string }>
}

export interface Part {
  readonly index: number
  readonly bytes: Uint8Array
  readonly sha256: string
}

export interface UploadTarget {
  readonly call: (
    id: 'agent.uploads.begin' | 'agent.uploads.part' | 'agent.uploads.complete',
    input: LooseInput,
  ) => Promise<{ readonly data: unknown }>
  readonly sessionId: string
  readonly body: BeginBody
  /** For the answer to completing, which has the service read the whole again. Milliseconds. */
  readonly completeTimeoutMs?: number
}

/** The steps as calls of an API client. */
export const uploadSteps = ({ call, sessionId, body, completeTimeoutMs }: UploadTarget): UploadSteps => ({
  async begin(signal) {
    const input = { params: { id: sessionId }, body, signal, repeatable: true }
    return (await call('agent.uploads.begin', input)).data as Endpoints['agent.uploads.begin']['result']
  },
  async part(uploadId, { index, bytes, sha256 }, signal) {
    const raw = { bytes, contentType: 'application/octet-stream', meta: { index, sha256 } }
    await call('agent.uploads.part', { params: { uploadId }, raw, signal, repeatable: true })
  },
  async complete(uploadId, signal) {
    const input: LooseInput = { params: { uploadId }, signal, repeatable: true }
    const timeout = completeTimeoutMs === undefined ? {} : { timeoutMs: completeTimeoutMs }
    return (await call('agent.uploads.complete', { ...input, ...timeout })).data as Evidence
  },
})
