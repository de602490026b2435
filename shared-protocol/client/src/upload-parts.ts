import { linkSignals, unlessAborted } from './abort.ts'
import { sha256Hex } from './hashing.ts'
import { platformRuntime } from './runtime.ts'
import type { UploadContext, UploadOptions } from './upload.ts'
import type { Source } from './upload-source.ts'

interface Begun {
  readonly uploadId: string
  readonly partSize: number
  readonly partCount: number
  readonly receivedParts: readonly number[]
}

/** A part may take as long as it needs over such a link. Bytes per millisecond. */
const SLOWEST_LINK = 50

const lengthOf = (index: number, { partSize }: Begun, size: number): number =>
  Math.min(partSize, size - index * partSize)

/**
 * Sends the parts that are not there yet, a few at once. Reading is one after the other, so that a stream comes in
 * order; the first failure stops all.
 */
export const sendParts = async (
  { send, signal, timeoutMs }: UploadContext,
  source: Source,
  begun: Begun,
  { parallel = 3, onProgress }: Pick<UploadOptions, 'parallel' | 'onProgress'>,
): Promise<void> => {
  const { uploadId, partSize, partCount } = begun
  const here = new Set(begun.receivedParts)
  const missing = Array.from({ length: partCount }, (_, index) => index).filter((index) => !here.has(index))
  let doneBytes = begun.receivedParts.reduce((sum, index) => sum + lengthOf(index, begun, source.size), 0)
  const report = () => onProgress?.({ phase: 'sending', doneBytes, totalBytes: source.size })
  report()
  const stopping = linkSignals(platformRuntime, [signal])
  let reading: Promise<unknown> = Promise.resolve()

  const readNext = (index: number): Promise<Uint8Array<ArrayBuffer>> => {
    const start = index * partSize
    const read = reading.then(() => source.read(start, start + lengthOf(index, begun, source.size)))
    reading = read.catch(() => undefined)
    return read
  }
  const sendOne = async (index: number): Promise<void> => {
    const bytes = await unlessAborted(readNext(index), stopping.signal)
    const raw = {
      bytes,
      contentType: 'application/octet-stream',
      meta: { index, sha256: await sha256Hex(bytes) },
    }
    const how = {
      signal: stopping.signal,
      repeatable: true,
      timeoutMs: timeoutMs + Math.ceil(bytes.length / SLOWEST_LINK),
    }
    await send('agent.uploads.part', { params: { uploadId }, raw, ...how })
    doneBytes += bytes.length
    report()
  }
  const work = async (): Promise<void> => {
    for (let index = missing.shift(); index !== undefined; index = missing.shift()) await sendOne(index)
  }
  try {
    const workers = Array.from({ length: Math.max(1, Math.min(parallel, missing.length)) }, () =>
      work().catch((error: unknown) => {
        stopping.abort(error)
        throw error
      }),
    )
    // All have ended before this does: nothing of this upload goes on behind its caller's back.
    const ended = await Promise.allSettled(workers)
    if (stopping.signal.aborted) throw stopping.signal.reason
    for (const result of ended) if (result.status === 'rejected') throw result.reason
  } finally {
    stopping.release()
  }
}
