import type { FileHandle } from 'node:fs/promises'
import type { UpdateBuild } from '@integrity/protocol'
import type { Dispatcher } from 'undici'
import { privateDir } from '../../shared/durable-file.ts'
import { DownloadError } from './download-errors.ts'
import { fetchPart, type PartAnswer } from './fetch-part.ts'
import { StagedFile } from './staged-file.ts'

export interface DownloadOptions {
  /** A folder of this program's own: whatever else is in it is removed. */
  readonly dir: string
  readonly signal: AbortSignal
  /** Bytes that are on disk, of all. */
  readonly onProgress?: (received: number, total: number) => void
  readonly dispatcher?: Dispatcher
}

const wrongFile = (what: string): DownloadError =>
  new DownloadError('wrong_file', `The update was not installed: ${what}. The file was removed.`)

const faultOf = (error: unknown, signal: AbortSignal): unknown => {
  const isOurs = error instanceof DownloadError
  if (signal.aborted && !(isOurs && error.fault === 'wrong_file')) return signal.reason
  if (isOurs) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DownloadError('no_space', 'There is not enough free space on the disk for the update.', error)
  return error
}

/** Writes the answer's bytes behind `offset`, no more than the manifest announced. */
const write = async (
  { body, offset }: PartAnswer,
  handle: FileHandle,
  size: number,
  onBytes: (received: number) => void,
): Promise<number> => {
  let received = offset
  const chunks = body[Symbol.asyncIterator]()
  for (;;) {
    const next = await nextChunk(chunks)
    if (next === undefined) return received
    if (received + next.length > size) throw wrongFile('it is larger than was announced')
    // `write` may take less than it is given, as on a disk that is nearly full.
    for (let at = 0; at < next.length; ) {
      at += (await handle.write(next, at, next.length - at, received + at)).bytesWritten
    }
    received += next.length
    onBytes(received)
  }
}

/** A connection that breaks is told from a disk that fails by which of the two was waited for. */
const nextChunk = async (chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> => {
  try {
    const { done, value } = await chunks.next()
    return done ? undefined : value
  } catch (error) {
    throw new DownloadError('unavailable', 'The connection broke off while the update was being fetched.', error)
  }
}

/** The rest of what was begun; all of it when the server does not have that range. */
const ask = async (
  file: StagedFile,
  { url }: UpdateBuild,
  { signal, dispatcher }: DownloadOptions,
): Promise<PartAnswer> => {
  const { bytes: from, etag } = await file.begun()
  const asked = { url, signal, ...(dispatcher ? { dispatcher } : {}) }
  const answer = await fetchPart({ ...asked, from, etag })
  if (answer !== 'no_such_range') return answer
  const whole = await fetchPart({ ...asked, from: 0, etag: undefined })
  if (whole === 'no_such_range') throw new DownloadError('unavailable', 'The update could not be fetched just now.')
  return whole
}

const receive = async (file: StagedFile, build: UpdateBuild, options: DownloadOptions): Promise<void> => {
  const { onProgress } = options
  // All of it was there when the program was ended, before it could be looked at.
  if ((await file.begun()).bytes === build.sizeBytes) return
  const answer = await ask(file, build, options)
  let handle: FileHandle | undefined
  try {
    if (answer.total !== undefined && answer.total !== build.sizeBytes) {
      const what = `it has ${answer.total} bytes, not the ${build.sizeBytes} that were announced`
      throw wrongFile(what)
    }
    handle = await file.openPart(answer.offset, answer.etag)
    onProgress?.(answer.offset, build.sizeBytes)
    const received = await write(answer, handle, build.sizeBytes, (bytes) => onProgress?.(bytes, build.sizeBytes))
    if (received < build.sizeBytes)
      throw new DownloadError('unavailable', 'The connection broke off while the update was being fetched.')
    await handle.sync()
  } finally {
    answer.body.on('error', () => undefined).destroy()
    await handle?.close()
  }
}

/**
 * Fetches a build into `dir` and gives the path of the whole file once its SHA-512 is the announced one. What an
 * earlier, broken-off try left is continued (Range with If-Range). Throws DownloadError, or the signal's reason when
 * it aborts: the half-done file stays for the next time.
 */
export const downloadBuild = async (build: UpdateBuild, options: DownloadOptions): Promise<string> => {
  const { dir, signal } = options
  await privateDir(dir)
  const file = new StagedFile(dir, build)
  try {
    await file.removeOthers()
    if (await file.isReady()) return file.path
    signal.throwIfAborted()
    await receive(file, build, options)
    if (!(await file.complete())) throw wrongFile('what was fetched is not the build that was announced')
    return file.path
  } catch (caught) {
    const fault = faultOf(caught, signal)
    if (fault instanceof DownloadError && (fault.fault === 'wrong_file' || fault.fault === 'no_space'))
      await file.removePart()
    throw fault
  }
}
