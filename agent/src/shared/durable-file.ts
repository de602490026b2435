import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
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

/** A private folder, made if need be. */
export const privateDir = async (path: string): Promise<string> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}

/** Removes what a killed process left half-written. */
export const removeTemporaries = async (dir: string): Promise<number> => {
  const left = (await readdir(dir)).filter((name) => name.endsWith(temporarySuffix))
  await Promise.all(left.map((name) => rm(join(dir, name), { force: true })))
  return left.length
}

/** There is no room on the disk, or none for this user. */
export const isDiskFull = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL'
}
