import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createKeyring, KeyringError, masterKeyBytes } from './keyring.ts'

/**
 * The 32-byte master key: from `value` (`MASTER_KEY`, as 64 hex digits or base64) when it is set, else from `keyFile`,
 * which is made on first start: mode 0600, complete and on the disk before its name exists, and never replaced.
 * A value that is set but not a key is an error, never a reason to make another key; and none is made where one is `known`,
 * by its name. Throws `KeyringError`: `invalid_master_key`, `other_master_key`; no message holds a key.
 */
export const loadMasterKey = async (source: { value?: string; keyFile: string; known?: string }): Promise<Buffer> => {
  const { value, keyFile, known } = source
  if (value !== undefined) return parseMasterKey(value, 'MASTER_KEY')
  const found = (await takeNextKey(keyFile, known)) ?? (await readKeyFile(keyFile))
  if (!found && known !== undefined)
    throw new KeyringError(
      'other_master_key',
      `The database was written under master key ${known}, and there is no key here: neither MASTER_KEY nor ${keyFile}. ` +
        'Bring that key back from its backup; without it nothing that the database protects can be opened.',
    )
  return found ?? (await makeKeyFile(keyFile))
}

const nextOf = (keyFile: string): string => `${keyFile}.next`

/** A change of the key that ended between the database and the file: the database knows the next key already. */
const takeNextKey = async (keyFile: string, known: string | undefined): Promise<Buffer | undefined> => {
  const next = known === undefined ? undefined : await readKeyFile(nextOf(keyFile))
  if (!next || createKeyring(next).keyId !== known) return undefined
  await rename(nextOf(keyFile), keyFile)
  await syncFolder(dirname(keyFile))
  return next
}

/**
 * Puts a new key in the place of the one in the file, once `change` has taken it. The new one is beside it before, on the
 * disk, and a start finds it there: whatever fails in between, one of the two files holds the key of the database.
 */
export const replaceKeyFile = async (keyFile: string, change: (next: Buffer) => Promise<void>): Promise<void> => {
  // Left by a change that failed; the database knows the key in the file.
  await unlink(nextOf(keyFile)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await change(await makeKeyFile(nextOf(keyFile)))
  await rename(nextOf(keyFile), keyFile)
  await syncFolder(dirname(keyFile))
}

/** Reads hex or base64 (either alphabet, padding or not) of exactly 32 bytes. `name` is for the error message. */
export const parseMasterKey = (value: string, name: string): Buffer => {
  const text = value.trim()
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  const key = Buffer.from(text, 'base64')
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text) && key.length === masterKeyBytes) return key
  throw new KeyringError('invalid_master_key', `${name} is not 32 bytes as 64 hex digits or base64`)
}

const readKeyFile = async (path: string): Promise<Buffer | undefined> => {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const { mode } = await file.stat()
    // Windows has no such bits; there the folder's access list protects the file.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new KeyringError('invalid_master_key', `${path} can be read by others: set its mode to 0600`)
    }
    return parseMasterKey(await file.readFile('utf8'), path)
  } finally {
    await file.close()
  }
}

const makeKeyFile = async (path: string): Promise<Buffer> => {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(masterKeyBytes).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    // link, not rename: of two first starts at once, one key wins and both use it.
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(temporary)
  }
  await syncFolder(folder)
  const key = await readKeyFile(path)
  if (!key) throw new KeyringError('invalid_master_key', `${path} vanished while it was made`)
  return key
}

const syncFolder = async (folder: string): Promise<void> => {
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
