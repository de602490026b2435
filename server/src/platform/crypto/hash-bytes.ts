import { createHash, type Hash, hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Takes a few milliseconds: more than that at once keeps everybody else waiting. */
const sliceBytes = 1024 * 1024

const update = async (into: Hash, bytes: Buffer): Promise<void> => {
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    into.update(bytes.subarray(from, from + sliceBytes))
    if (from + sliceBytes < bytes.length) await nextTurn()
  }
}

/** SHA-256 of parts behind each other. Of more than a megabyte it lets others have their turn in between. */
export const hashBytes = async (...parts: readonly (Buffer | string)[]): Promise<Buffer> => {
  const [first] = parts
  if (parts.length === 1 && first !== undefined && first.length <= sliceBytes) return hash('sha256', first, 'buffer')
  const into = createHash('sha256')
  for (const part of parts) await update(into, typeof part === 'string' ? Buffer.from(part) : part)
  return into.digest()
}
