import { unlessAborted } from './abort.ts'
import { createHasher } from './hashing.ts'
import { bytesSource, type Source } from './source.ts'

/** Node's `fs.promises.FileHandle`, as far as it is needed. Kept open by its caller. */
export interface FileHandleLike {
  stat(): Promise<{ readonly size: number }>
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
}
/** Bytes that come once. Their SHA-256 must be known, because the service wants it before the first of them. */
export interface StreamUpload {
  readonly stream: ReadableStream<Uint8Array>
  readonly sizeBytes: number
}
/**
 * A `File` of a page and what Node's `fs.openAsBlob(path)` gives are both a `Blob`.
 *
 * @example
 * ```ts
 * const whole: UploadSource = file
 * const once: UploadSource = { stream: file.stream(), sizeBytes: file.size }
 * ```
 */
export type UploadSource = Blob | Uint8Array | FileHandleLike | StreamUpload

const readHandle = async (handle: FileHandleLike, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> => {
  const buffer = new Uint8Array(end - start)
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, start + filled)
    if (bytesRead === 0) throw new RangeError(`the file ended at ${start + filled} bytes, before its size`)
    filled += bytesRead
  }
  return buffer
}

/** Reads ahead no further than the part that is asked for. */
const inOrder = ({ stream, sizeBytes }: StreamUpload): Source => {
  const reader = stream.getReader()
  let pieces: Uint8Array[] = []
  let held = 0
  let at = 0
  const next = async () => {
    const { done, value } = await reader.read()
    if (done) throw new RangeError(`the stream ended after ${at + held} bytes, not ${sizeBytes}`)
    pieces.push(value)
    held += value.length
  }
  const take = async (length: number): Promise<Uint8Array<ArrayBuffer>> => {
    while (held < length) await next()
    const whole = new Uint8Array(length)
    let filled = 0
    while (filled < length) {
      const piece = pieces.shift() as Uint8Array
      const used = piece.subarray(0, length - filled)
      whole.set(used, filled)
      filled += used.length
      if (used.length < piece.length) pieces = [piece.subarray(used.length), ...pieces]
    }
    held -= length
    at += length
    return whole
  }
  return {
    size: sizeBytes,
    replayable: false,
    async read(start, end) {
      if (start < at) throw new RangeError('a stream cannot be read again')
      while (at < start) await take(Math.min(start - at, 1024 * 1024))
      return take(end - start)
    },
    close: () => reader.cancel().catch(() => undefined),
  }
}

const nothing = async (): Promise<void> => undefined

export const openSource = async (source: UploadSource): Promise<Source> => {
  if (source instanceof Uint8Array) return bytesSource(source)
  if (source instanceof Blob) {
    const read = async (start: number, end: number) => new Uint8Array(await source.slice(start, end).arrayBuffer())
    return { size: source.size, replayable: true, close: nothing, read }
  }
  if ('stream' in source) return inOrder(source)
  const { size } = await source.stat()
  return { size, replayable: true, close: nothing, read: (start, end) => readHandle(source, start, end) }
}

const pieceBytes = 4 * 1024 * 1024

/** SHA-256 of the whole, read once in pieces. */
export const hashSource = async (
  source: Source,
  signal: AbortSignal,
  onProgress: (hashedBytes: number) => void,
): Promise<string> => {
  const hasher = createHasher()
  for (let at = 0; at < source.size; at += pieceBytes) {
    const end = Math.min(at + pieceBytes, source.size)
    hasher.update(await unlessAborted(source.read(at, end), signal))
    onProgress(end)
  }
  return hasher.digest()
}
