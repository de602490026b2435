import { randomBytes } from 'node:crypto'
import { type ObjectStore, StorageError } from './types.ts'

/** Writes, reads back and removes a small object: what every store's `probe` does. Throws `unusable`, or the store's own error. */
export const probeStore = async (store: Pick<ObjectStore, 'put' | 'open' | 'remove' | 'exists'>): Promise<void> => {
  const key = `probe/${randomBytes(12).toString('hex')}`
  const bytes = randomBytes(64)
  await store.put(key, onePiece(bytes), { size: bytes.length })
  try {
    const reader = await store.open(key)
    try {
      const found = await reader.read(0, bytes.length)
      if (!found.equals(bytes)) throw new StorageError('unusable', 'the store gave back other bytes than were written')
    } finally {
      await reader.close()
    }
  } finally {
    await store.remove(key)
  }
  if (await store.exists(key)) throw new StorageError('unusable', 'the store kept an object that was removed')
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
