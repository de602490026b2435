import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const temporarySuffix = '.tmp'

/** Makes the folder's entries durable. Windows cannot sync a folder; its renames are journalled. */
export const syncDir = async (dir: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const writeTemporary = async (path: string, bytes: Buffer): Promise<string> => {
  const temporary = `${path}.${randomUUID().slice(0, 8)}${temporarySuffix}`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await writeFile(handle, bytes)
    await handle.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return temporary
}

/** Replaces a file as a whole: a reader sees the old or the new bytes, also after a power cut. */
export const writeDurably = async (path: string, bytes: Buffer): Promise<void> => {
  const temporary = await writeTemporary(path, bytes)
  await rename(temporary, path)
  await syncDir(dirname(path))
}

/** Like `writeDurably`, but a file that is already there stays. */
export const createDurably = async (path: string, bytes: Buffer): Promise<void> => {
  const temporary = await writeTemporary(path, bytes)
  try {
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { force: true })
  }
  await syncDir(dirname(path))
}

/** What is there and open to others is closed to them: made by an older version, or widened by a copy. */
const tighten = async (path: string, mode: number): Promise<void> => {
  const found = await stat(path)
  if ((found.mode & 0o077) !== 0) await chmod(path, mode)
}

/** A folder that others share by design (sticky, or of another user) stays as it is: only what we put into it is ours. */
const isShared = ({ mode, uid }: Stats): boolean => (mode & 0o1000) !== 0 || uid !== process.getuid?.()

/** A private folder, made if need be. */
export const privateDir = async (path: string): Promise<string> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32' && !isShared(await stat(path))) await tighten(path, 0o700)
  return path
}

/** A file that only this user may read, empty if it was not there. */
export const privateFile = async (path: string): Promise<void> => {
  await (await open(path, 'a', 0o600)).close()
  if (process.platform !== 'win32') await tighten(path, 0o600)
}

/** Removes what a killed process left half-written. */
export const removeTemporaries = async (dir: string): Promise<number> => {
  const left = (await readdir(dir)).filter((name) => name.endsWith(temporarySuffix))
  await Promise.all(left.map((name) => rm(join(dir, name), { force: true })))
  return left.length
}

/** Whether the error says that the disk, or this user's quota, is full. */
export const isDiskFull = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL'
}
