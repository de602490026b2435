import { constants, type FileHandle, link, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Cache } from '../cache.ts'

/** The steps whose order makes a file durable. Injected into the local store, so that a test can hold it to the order. */
export interface DurableFiles {
  /** Flushes a file's data and what is needed to find it. */
  syncFile(file: FileHandle): Promise<void>
  /** Opens a file to write to with `writeThrough`. The flags are those of `open`. */
  openThrough(path: string, flags: number): Promise<FileHandle>
  /**
   * Writes all of the buffers at `position`, and resolves when they are durable. Of files whose size does not change:
   * data only, as fdatasync. Several may run side by side.
   */
  writeThrough(file: FileHandle, buffers: readonly Uint8Array[], position: number): Promise<void>
  /** Gives the finished file its name, refusing (EEXIST) one that is taken. The temporary name stays. */
  publish(temporary: string, path: string): Promise<void>
  /** Makes a folder and its parents up to `root`, all durable. */
  ensureFolder(path: string, root: string): Promise<void>
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>
  /** Removes a name; that it is not there is not an error. */
  remove(path: string): Promise<void>
}

/** Folders this process knows to be durable, at most: of others it asks the disk again. */
const maxKnownFolders = 10_000

/** On Linux one call writes and flushes; elsewhere O_DSYNC is missing, or stops at the disk's own cache. */
const throughFlag = process.platform === 'linux' ? constants.O_DSYNC : 0

export const createDurableFiles = (): DurableFiles => {
  const known = new Cache<Promise<void>>({ limit: maxKnownFolders })
  return {
    syncFile: (file) => file.sync(),
    openThrough: (path, flags) => open(path, flags | throughFlag, 0o600),
    async writeThrough(file, buffers, position) {
      await writeFully(file, buffers, position)
      if (throughFlag === 0) await file.datasync()
    },
    // link and not rename: rename replaces silently, link lets one of two writers win.
    publish: link,
    syncFolder,
    remove: (path) => rm(path, { force: true }),
    // The promise is shared: a second writer must not go on before the first has made their common folder durable.
    ensureFolder: (path, root) => known.getOrMake(path, () => makeFolder(path, root)),
  }
}

const makeFolder = async (path: string, root: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
  for (let folder = path; folder !== root; ) {
    folder = dirname(folder)
    await syncFolder(folder)
  }
}

const syncFolder = async (path: string): Promise<void> => {
  // Windows cannot open a folder for this; NTFS journals names by itself.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Writes all of the buffers at `position`, however few bytes a single call takes. Returns how many that were. */
export const writeFully = async (
  file: FileHandle,
  buffers: readonly Uint8Array[],
  position: number,
): Promise<number> => {
  let rest = buffers.filter((buffer) => buffer.length > 0)
  let at = position
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest, at)
    at += bytesWritten
    while (rest.length > 0 && bytesWritten >= rest[0]!.length) {
      bytesWritten -= rest[0]!.length
      rest = rest.slice(1)
    }
    if (bytesWritten > 0) rest = [rest[0]!.subarray(bytesWritten), ...rest.slice(1)]
  }
  return at - position
}

/** Reads until `length` bytes are there or the file ends; the result is a view of `into`. */
export const readFully = async (file: FileHandle, offset: number, length: number, into: Buffer): Promise<Buffer> => {
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(into, done, length - done, offset + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return into.subarray(0, done)
}
