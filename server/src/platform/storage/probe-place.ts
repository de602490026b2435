import { createHash, randomBytes } from 'node:crypto'
import { type ObjectPlace, StorageError } from './types.ts'

const placeChecks = ['write', 'read', 'range', 'conditional_write', 'list', 'delete'] as const
type PlaceCheckName = (typeof placeChecks)[number]

export interface PlaceCheck {
  readonly name: PlaceCheckName
  readonly ok: boolean
  /** Why it failed, or what is worth knowing; words that a person may read. */
  readonly message?: string
}

const probeBytes = 4096
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
const wrong = (words: string) => new StorageError('unusable', words)
const wordsOf = (error: unknown): string =>
  error instanceof StorageError ? error.message : 'something unforeseen; the log of the server says what'

/**
 * Tries with its own credentials all that the service will ever ask of a place, with one small object below the
 * organisation's name. `visible` looks at that object from outside while it is there.
 */
export const probePlace = async (
  place: ObjectPlace,
  orgId: string,
  visible: (key: string) => Promise<void> = () => Promise.resolve(),
): Promise<PlaceCheck[]> => {
  const key = `${orgId}/probe/${randomBytes(12).toString('hex')}`
  const bytes = randomBytes(probeBytes)
  const results: PlaceCheck[] = []
  const check = async (name: PlaceCheckName, work: () => Promise<string | undefined>): Promise<boolean> => {
    try {
      const message = await work()
      results.push({ name, ok: true, ...(message !== undefined && { message }) })
      return true
    } catch (error) {
      results.push({ name, ok: false, message: wordsOf(error) })
      return false
    }
  }
  const written = await check('write', async () => {
    await place.put(key, once(bytes), { size: bytes.length })
    return undefined
  })
  if (!written) {
    // Some of it may be there all the same.
    await place.remove(key).catch(() => undefined)
    const rest = placeChecks.filter((name) => name !== 'write')
    return [...results, ...rest.map((name) => ({ name, ok: false, message: 'not tried: nothing could be written' }))]
  }
  await check('read', () => readBack(place, key, bytes, 0, bytes.length))
  await check('range', () => readBack(place, key, bytes, 100, 100))
  await check('conditional_write', () => writeAgain(place, key, bytes))
  await check('list', async () => {
    const { keys } = await place.list(orgId, { limit: 1000 })
    if (!keys.includes(key) && keys.length < 1000) throw wrong('the object just written is not listed')
    return undefined
  })
  await visible(key)
  await check('delete', async () => {
    await place.remove(key)
    if (await place.exists(key)) throw wrong('an object that was removed is still there')
    await place.remove(key)
    return undefined
  })
  return results
}

const readBack = async (place: ObjectPlace, key: string, bytes: Buffer, offset: number, length: number) => {
  const reader = await place.open(key)
  try {
    const found = await reader.read(offset, length)
    if (reader.size !== bytes.length || sha256(found) !== sha256(bytes.subarray(offset, offset + length)))
      throw wrong('other bytes came back than were written')
  } finally {
    await reader.close()
  }
  return undefined
}

/** A place without conditions is good enough: no two objects ever have one name. */
const writeAgain = async (place: ObjectPlace, key: string, bytes: Buffer) => {
  try {
    await place.put(key, once(bytes), { size: bytes.length })
  } catch (error) {
    if (error instanceof StorageError && error.code === 'conflict') return undefined
    throw error
  }
  throw wrong('a name that is taken was written again')
}
