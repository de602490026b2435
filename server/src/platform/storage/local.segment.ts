import { constants, type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { type DurableFiles, readFully } from './durable-files.ts'
import { coverageRecord, isCovered, type Span } from './segment-coverage.ts'
import { type SegmentWriter, StorageError } from './types.ts'

export interface LocalObjectPaths {
  readonly object: string
  readonly objectFolder: string
  readonly segment: string
  readonly segmentFolder: string
}

export interface LocalSegmentOptions {
  readonly key: string
  readonly size: number
  readonly paths: LocalObjectPaths
  readonly root: string
  readonly files: DurableFiles
}

/**
 * An unfinished object is two files: `<name>.part`, sparse and as long as the object from the start, and `<name>.map`,
 * an append-only list of the spans that were written, which is how a hole is told from zeros after a restart. Every
 * writer appends a line to the map before its first byte, so a writer that began on empty files and finds the map as
 * long as it made it itself knows that it is alone.
 */
export const openLocalSegment = async (options: LocalSegmentOptions): Promise<SegmentWriter> => {
  const { paths, root, files, size, key } = options
  const done = await openIfThere(paths.object)
  if (done) return finishedSegment(done, options)
  await files.ensureFolder(paths.segmentFolder, root)
  const data = await files.openThrough(`${paths.segment}.part`, constants.O_RDWR | constants.O_CREAT)
  try {
    const { size: length } = await data.stat()
    if (length !== 0 && length !== size) throw new StorageError('size_mismatch', `${key} was begun with another size`)
    const map = await open(`${paths.segment}.map`, 'a', 0o600)
    const begun = (await map.stat()).size > 0
    if (!begun) {
      // No record yet, so nobody has come past this point: make both files and their names durable.
      await data.truncate(size)
      await files.syncFile(data)
      await files.syncFile(map)
      await files.syncFolder(paths.segmentFolder)
    }
    // A power cut may lose the map of bytes that came through; then the file has blocks.
    const isEmpty = !begun && (await data.stat()).blocks === 0
    return new LocalSegment(data, map, options, isEmpty)
  } catch (error) {
    await data.close()
    throw error
  }
}

const finishedSegment = async (file: FileHandle, options: LocalSegmentOptions): Promise<SegmentWriter> => {
  const { size } = await file.stat()
  if (size === options.size) return new FinishedSegment(file, options)
  await file.close()
  throw new StorageError('conflict', `${options.key} is there with another size`)
}

class LocalSegment implements SegmentWriter {
  readonly finished = false
  readonly size: number
  readonly #data: FileHandle
  readonly #map: FileHandle
  readonly #options: LocalSegmentOptions
  /** Nobody else has written since the files were empty. */
  #isAlone: boolean
  /** Length of the map if this writer made all of it. */
  #mapBytes = 0
  #announced: Promise<void> | undefined
  readonly #written: Span[] = []
  /** Durable, and not in the map yet. */
  #unrecorded: Span[] = []
  #confirmed = false
  #closed = false

  constructor(data: FileHandle, map: FileHandle, options: LocalSegmentOptions, isEmpty: boolean) {
    this.#data = data
    this.#map = map
    this.#options = options
    this.#isAlone = isEmpty
    this.size = options.size
  }

  async isUntouched(offset: number, length: number): Promise<boolean> {
    if (this.#isAlone && (await this.#map.stat()).size !== this.#mapBytes) this.#isAlone = false
    return this.#isAlone && !this.#written.some(({ start, end }) => start < offset + length && offset < end)
  }

  async writeAt(offset: number, buffers: readonly Uint8Array[]): Promise<void> {
    const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    if (!Number.isSafeInteger(offset) || offset < 0 || offset + length > this.size) {
      throw new StorageError('out_of_range', `${length} bytes at ${offset} do not fit into ${this.size}`)
    }
    if (length === 0) return
    await this.#announce()
    const span = { start: offset, end: offset + length }
    this.#written.push(span)
    await this.#options.files.writeThrough(this.#data, buffers, offset)
    this.#unrecorded.push(span)
  }

  async sync(): Promise<void> {
    const spans = this.#unrecorded
    if (spans.length === 0) return
    this.#unrecorded = []
    // Only what is on the disk is remembered as written. Not flushed itself: it outlives the process all the same.
    await this.#append(spans.map(coverageRecord).join(''))
  }

  confirm(): void {
    this.#confirmed = true
  }

  #announce(): Promise<void> {
    this.#announced ??= this.#append('\nopened\n').catch((error: unknown) => {
      this.#announced = undefined
      throw error
    })
    return this.#announced
  }

  async #append(text: string): Promise<void> {
    this.#mapBytes += Buffer.byteLength(text)
    await this.#map.appendFile(text)
  }

  read(offset: number, length: number, into: Buffer = Buffer.allocUnsafe(length)): Promise<Buffer> {
    return readFully(this.#data, offset, length, into)
  }

  async finish(): Promise<void> {
    await this.sync()
    const { files, paths, root, key } = this.#options
    const { size, ino } = await this.#data.stat({ bigint: true })
    const map = await readFile(`${paths.segment}.map`, 'utf8').catch(() => '')
    if (size !== BigInt(this.size) || !(this.#confirmed || isCovered(map, this.size))) {
      // Another process may have finished the very same file, and tidied up, a moment earlier.
      if (await this.#isPublished(ino)) return this.close()
      throw new StorageError('incomplete', `${key} was not written completely`)
    }
    await files.syncFile(this.#data)
    await this.close()
    await files.ensureFolder(paths.objectFolder, root)
    try {
      await files.publish(`${paths.segment}.part`, paths.object)
    } catch (cause) {
      if (!(await this.#isPublished(ino))) {
        if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
        throw new StorageError('conflict', `${key} is there already`, { cause })
      }
    }
    await files.syncFolder(paths.objectFolder)
    await removeSegment(this.#options)
  }

  /** Whether the finished object is this very file, under its other name. */
  async #isPublished(ino: bigint): Promise<boolean> {
    const there = await stat(this.#options.paths.object, { bigint: true }).catch(() => undefined)
    return there?.ino === ino
  }

  async discard(): Promise<void> {
    await this.close()
    await removeSegment(this.#options)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all([this.#data.close(), this.#map.close()])
  }
}

/** The object is in its place already. */
class FinishedSegment implements SegmentWriter {
  readonly finished = true
  readonly size: number
  readonly #file: FileHandle
  readonly #options: LocalSegmentOptions
  #closed = false

  constructor(file: FileHandle, options: LocalSegmentOptions) {
    this.#file = file
    this.#options = options
    this.size = options.size
  }

  isUntouched(): Promise<boolean> {
    return Promise.resolve(false)
  }

  confirm(): void {}

  writeAt(): Promise<void> {
    return Promise.reject(new StorageError('conflict', `${this.#options.key} is finished`))
  }

  sync(): Promise<void> {
    return Promise.resolve()
  }

  read(offset: number, length: number, into: Buffer = Buffer.allocUnsafe(length)): Promise<Buffer> {
    return readFully(this.#file, offset, length, into)
  }

  /** Tidies up after a process that was killed between giving the name and removing the unfinished files. */
  async finish(): Promise<void> {
    await this.discard()
    await this.#options.files.syncFolder(this.#options.paths.objectFolder)
  }

  async discard(): Promise<void> {
    await this.close()
    await removeSegment(this.#options)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#file.close()
  }
}

const removeSegment = async ({ files, paths, root }: LocalSegmentOptions): Promise<void> => {
  await files.ensureFolder(paths.segmentFolder, root)
  await files.remove(`${paths.segment}.part`)
  await files.remove(`${paths.segment}.map`)
  await files.syncFolder(paths.segmentFolder)
}

const openIfThere = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
