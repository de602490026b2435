import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes the folder if there is none, and shuts it and what lies directly in it to everybody but its owner, whatever an
 * earlier version or a copy left. What lies deeper cannot be reached through a folder that is shut.
 */
export const keepPrivate = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Windows has no such bits; there the folder's access list protects the files.
  if (process.platform === 'win32') return
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue
    // A file of SQLite may go while this runs.
    await chmod(join(folder, entry.name), entry.isFile() ? 0o600 : 0o700).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
}
