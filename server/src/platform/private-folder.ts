import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** As `mkdir -p`, which Node's own never ends where a file system lets nobody make anything (such as /proc). */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await isFolder(folder))) return
    const above = dirname(folder)
    if (code !== 'ENOENT' || above === folder || (await isFolder(above))) throw error
    await makeFolder(above)
    await makeFolder(folder)
  }
}

/**
 * Makes the folder if there is none, and shuts it and what lies directly in it to everybody but its owner, whatever an
 * earlier version or a copy left. What lies deeper cannot be reached through a folder that is shut.
 */
export const keepPrivate = async (folder: string): Promise<void> => {
  await makeFolder(folder)
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
