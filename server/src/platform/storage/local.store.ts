import { createHash, randomBytes } from 'node:crypto'
import { open, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createDurableFiles, type DurableFiles, readFully, writeFully } from './durable-files.ts'
import { type LocalObjectPaths, openLocalSegment } from './local.segment.ts'
import { probeStore } from './probe.ts'
import {
  assertObjectKey,
  type KeyPage,
  type ObjectReader,
  type ObjectStore,
  type SegmentWriter,
  StorageError,
} from './types.ts'

/**
 * Objects as files below one folder, mode 0600 in folders of mode 0700:
 * `objects/<org>/<2 hex>/…` finished, `segments/…` unfinished, `incoming/…` being put. All three must be on one file
 * system that has hard links. A name is published only after its bytes are on the disk, by a link that never replaces.
 */
export class LocalStore implements ObjectStore {
  readonly #root: string
  readonly #files: DurableFiles

  /** `root` must exist. */
  constructor(root: string, files: DurableFiles = createDurableFiles()) {
    this.#root = resolve(root)
    this.#files = files
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, { size }: { size: number }): Promise<void> {
    const paths = this.#paths(key)
    if (await isThere(paths.object)) throw new StorageError('conflict', `${key} is there already`)
    const incoming = join(this.#root, 'incoming')
    await this.#files.ensureFolder(incoming, this.#root)
    const temporary = join(incoming, `${randomBytes(12).toString('hex')}.tmp`)
    try {
      await this.#writeTemporary(temporary, source, size)
      await this.#publish(temporary, paths, key)
    } finally {
      await this.#files.remove(temporary)
    }
    await this.#files.syncFolder(paths.objectFolder)
  }

  async openSegmented(key: string, { size }: { size: number }): Promise<SegmentWriter> {
    const paths = this.#paths(key)
    if (!Number.isSafeInteger(size) || size <= 0)
      throw new StorageError('size_mismatch', 'a segmented object has bytes')
    return openLocalSegment({ key, size, paths, root: this.#root, files: this.#files })
  }

  async open(key: string): Promise<ObjectReader> {
    const { object } = this.#paths(key)
    const file = await open(object, 'r').catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') throw new StorageError('not_found', `${key} is not there`, { cause })
      throw cause
    })
    const { size } = await file.stat()
    return {
      size,
      read: (offset, length, into = Buffer.allocUnsafe(length)) => readFully(file, offset, length, into),
      close: () => file.close(),
    }
  }

  async remove(key: string): Promise<void> {
    const { object, objectFolder } = this.#paths(key)
    if (!(await isThere(object))) return
    await this.#files.remove(object)
    await this.#files.syncFolder(objectFolder)
  }

  async exists(key: string): Promise<boolean> {
    return isThere(this.#paths(key).object)
  }

  /** Folder by folder; `after` is the last one's folder and name. */
  async list(orgId: string, { limit, after = '' }: { limit: number; after?: string | undefined }): Promise<KeyPage> {
    const root = join(this.#root, 'objects', orgId)
    const keys: string[] = []
    let last = after
    for (const fan of await namesIn(root)) {
      if (fan < after.slice(0, 2)) continue
      for (const name of await namesIn(join(root, fan))) {
        const position = `${fan}/${name}`
        if (position <= after) continue
        if (keys.length === limit) return { keys, next: last }
        keys.push(`${orgId}/${name.replaceAll('~', '/')}`)
        last = position
      }
    }
    return { keys }
  }

  /** Whether an unfinished object of that key was begun here. */
  async isBegun(key: string): Promise<boolean> {
    return isThere(`${this.#paths(key).segment}.part`)
  }

  probe(): Promise<void> {
    return probeStore(this)
  }

  async removeStaleTemporaries(before: number): Promise<number> {
    const incoming = join(this.#root, 'incoming')
    await this.#files.ensureFolder(incoming, this.#root)
    let removed = 0
    for (const name of await readdir(incoming)) {
      const path = join(incoming, name)
      const info = await stat(path).catch(() => undefined)
      if (!info || info.mtimeMs >= before) continue
      await this.#files.remove(path)
      removed++
    }
    return removed
  }

  async #writeTemporary(path: string, source: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    const file = await open(path, 'wx', 0o600)
    try {
      let written = 0
      for await (const piece of source) {
        if (written + piece.length > size) throw new StorageError('size_mismatch', `more than ${size} bytes`)
        written += await writeFully(file, [piece], written)
      }
      if (written !== size) throw new StorageError('size_mismatch', `${written} bytes instead of ${size}`)
      await this.#files.syncFile(file)
    } finally {
      await file.close()
    }
  }

  async #publish(temporary: string, { object, objectFolder }: LocalObjectPaths, key: string): Promise<void> {
    await this.#files.ensureFolder(objectFolder, this.#root)
    try {
      await this.#files.publish(temporary, object)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
      throw new StorageError('conflict', `${key} is there already`, { cause })
    }
  }

  /** One folder for each organisation, then 256 by the key's hash: no folder grows with the number of objects alone. */
  #paths(key: string): LocalObjectPaths {
    assertObjectKey(key)
    const [org, ...rest] = key.split('/')
    const fan = createHash('sha256').update(key).digest('hex').slice(0, 2)
    const name = rest.join('~')
    const objectFolder = join(this.#root, 'objects', org!, fan)
    const segmentFolder = join(this.#root, 'segments', org!, fan)
    return { object: join(objectFolder, name), objectFolder, segment: join(segmentFolder, name), segmentFolder }
  }
}

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const isThere = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
