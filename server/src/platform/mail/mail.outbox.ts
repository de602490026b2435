import { createHash } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'

const nameOf = (id: string): string =>
  /^[A-Za-z0-9_-]{1,100}$/.test(id) ? id : createHash('sha256').update(id).digest('hex')

/** Writes a message as `<id>.eml`, whole or not at all; the same id replaces its file. */
export const writeMessage = async (folder: string, id: string, bytes: Buffer): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${nameOf(id)}.eml`)
  const file = await open(`${path}.partial`, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.partial`, path)
}
