import { randomBytes } from 'node:crypto'
import { chmod, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createDurably } from '../../shared/durable-file.ts'

/**
 * How well the spool key is protected. `basic`: whoever can read this user's files can read the key too, so sealing
 * protects against a lost disk image or a careless copy of the spool alone. The agent shows this word to the candidate.
 */
export type KeyProtection = 'os_key_store' | 'basic'

/** Where the 32-byte spool key lives. Electron's shell gives one over `safeStorage`; headless uses a file. */
export interface KeyStore {
  readonly protection: KeyProtection
  /** The key; makes it on first use. The same key forever after. */
  getOrCreate(): Promise<Buffer>
}

export const spoolKeyBytes = 32

const readKey = async (path: string): Promise<Buffer | undefined> => {
  try {
    const key = await readFile(path)
    if (key.length !== spoolKeyBytes) throw new Error(`${path} is not a spool key: ${key.length} bytes instead of 32`)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A key file of mode 0600 inside the data folder: protection is `basic`, and says so. */
export const fileKeyStore = (dir: string): KeyStore => ({
  protection: 'basic',
  async getOrCreate() {
    const path = join(dir, 'spool.key')
    const existing = await readKey(path)
    if (existing) {
      // A backup or a copy may have widened the mode.
      if (process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
      return existing
    }
    await createDurably(path, randomBytes(spoolKeyBytes))
    // Two first starts may race: the file that is there wins.
    const key = await readKey(path)
    if (!key) throw new Error(`${path} could not be written`)
    return key
  },
})
