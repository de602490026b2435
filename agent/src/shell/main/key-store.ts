import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { safeStorage } from 'electron'
import { fileKeyStore, type KeyStore, spoolKeyBytes } from '../../core/spool/key-store.ts'
import { createDurably, privateDir } from '../../shared/durable-file.ts'

/** The key is sealed by the operating system's key store, which does not open it now: locked, removed, another user. */
export class KeyStoreClosed extends Error {
  override readonly name = 'KeyStoreClosed'
}

const readIfThere = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Linux without a keyring "encrypts" with a password that is in Chromium's source: that protects nothing. */
const hasKeyStore = (platform: NodeJS.Platform): boolean => {
  if (!safeStorage.isEncryptionAvailable()) return false
  if (platform !== 'linux') return true
  return !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
}

const open = (sealed: Buffer): Buffer => {
  try {
    const key = Buffer.from(safeStorage.decryptString(sealed), 'base64')
    if (key.length === spoolKeyBytes) return key
  } catch (error) {
    throw new KeyStoreClosed("The operating system's key store does not open the key of what is unsent.", {
      cause: error,
    })
  }
  throw new KeyStoreClosed('The stored key is not a key of what is unsent.')
}

/**
 * The spool's key, sealed by `safeStorage` in `dir`; without a real key store a file that only this user may read, and
 * then its protection is `basic`. A key that was kept in a file before is sealed as soon as there is a key store.
 * Call after the app is ready. @throws KeyStoreClosed rather than making a second key, which would lose what is unsent
 */
export const createKeyStore = (dir: string, platform: NodeJS.Platform): KeyStore => {
  const plain = join(dir, 'spool.key')
  const sealedFile = join(dir, 'spool.key.sealed')
  if (!hasKeyStore(platform)) {
    const basic = fileKeyStore(dir)
    return {
      protection: 'basic',
      async getOrCreate() {
        await privateDir(dir)
        if (await readIfThere(sealedFile)) {
          throw new KeyStoreClosed('The key of what is unsent was sealed by a key store that is not there now.')
        }
        return basic.getOrCreate()
      },
    }
  }
  return {
    protection: 'os_key_store',
    async getOrCreate() {
      await privateDir(dir)
      if (!(await readIfThere(sealedFile))) {
        const key = (await readIfThere(plain)) ?? randomBytes(spoolKeyBytes)
        await createDurably(sealedFile, safeStorage.encryptString(key.toString('base64')))
      }
      const sealed = await readIfThere(sealedFile)
      if (!sealed) throw new Error(`${sealedFile} could not be written`)
      const key = open(sealed)
      // Only now that the sealed one is known to open.
      await rm(plain, { force: true })
      return key
    },
  }
}
