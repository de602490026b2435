import { linkSignals, reasonOf, unlessAborted } from './abort.ts'
import type { Runtime } from './runtime.ts'
import type { Source } from './source.ts'
import type { UploadState, UploadSteps } from './upload-steps.ts'

export interface UploadProgress {
  readonly phase: 'hashing' | 'sending'
  /** Hashed, or in the service's hands, those of an earlier run included. */
  readonly doneBytes: number
  readonly totalBytes: number
}

export interface PartsOptions {
  /** SHA-256 in lower-case hex. */
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>
  /** Parts on their way at once; each is held in memory. */
  readonly parallel: number
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
}

interface Sending extends PartsOptions {
  readonly steps: UploadSteps
  readonly source: Source
  readonly runtime: Runtime
  readonly signal: AbortSignal
}

const lengthOf = (index: number, { partSize }: UploadState, size: number): number =>
  Math.max(0, Math.min(partSize, size - index * partSize))

/**
 * Sends the parts that are not there yet, a few at once. Reading is one after the other, so that a stream comes in
 * order; the first failure stops all.
 */
export const sendParts = async (sending: Sending, upload: UploadState): Promise<void> => {
  const { steps, source, signal, sha256, parallel, onProgress } = sending
  const { uploadId, partSize, partCount, receivedParts } = upload
  const here = new Set(receivedParts)
  const missing = Array.from({ length: partCount }, (_, index) => index).filter((index) => !here.has(index))
  let doneBytes = receivedParts.reduce((sum, index) => sum + lengthOf(index, upload, source.size), 0)
  const report = () => onProgress?.({ phase: 'sending', doneBytes, totalBytes: source.size })
  report()
  const stopping = linkSignals(sending.runtime, [signal])
  let reading: Promise<unknown> = Promise.resolve()

  const readNext = (index: number): Promise<Uint8Array<ArrayBuffer>> => {
    const start = index * partSize
    const read = reading.then(() => source.read(start, start + lengthOf(index, upload, source.size)))
    reading = read.catch(() => undefined)
    return read
  }
  const sendOne = async (index: number): Promise<void> => {
    const bytes = await unlessAborted(readNext(index), stopping.signal)
    await steps.part(uploadId, { index, bytes, sha256: await sha256(bytes) }, stopping.signal)
    doneBytes += bytes.length
    report()
  }
  let failure: { readonly error: unknown } | undefined
  const work = async (): Promise<void> => {
    try {
      for (let index = missing.shift(); index !== undefined; index = missing.shift()) await sendOne(index)
    } catch (error) {
      failure ??= { error }
      stopping.abort(error)
    }
  }
  // All have ended before this does: nothing of this upload goes on behind its caller's back.
  await Promise.all(Array.from({ length: Math.max(1, Math.min(parallel, missing.length)) }, work))
  stopping.release()
  if (signal.aborted) throw reasonOf(signal)
  if (failure) throw failure.error
}
