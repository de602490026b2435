import { randomBytes } from 'node:crypto'
import { partsAtOnce, usualPartBytes } from '../part-bytes.ts'
import {
  assertObjectKey,
  type FirstBytes,
  type KeyPage,
  type ObjectPlace,
  type ObjectReader,
  type PartsOnTheWay,
  StorageError,
} from '../types.ts'
import { firstWindow, RemoteReader, stretchOf } from './remote.reader.ts'
import type { Bucket } from './remote.types.ts'

const mib = 1024 * 1024
/** S3 takes no more. */
const mostParts = 10_000

/** Objects in a bucket or container of a provider, below a prefix. Holds a few parts of an object, never the whole. */
export class RemoteStore implements ObjectPlace {
  readonly #bucket: Bucket
  readonly #prefix: string
  /** Whether the provider refuses a taken name by itself; until it says that it cannot, it is asked to. */
  #conditional = true

  /** `prefix` is empty or ends with a slash. */
  constructor(bucket: Bucket, prefix: string) {
    this.#bucket = bucket
    this.#prefix = prefix
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, { size }: { size: number }): Promise<void> {
    const name = this.#nameOf(key)
    const putId = randomBytes(12).toString('hex')
    if (size > usualPartBytes) return this.#putParts(key, source, size)
    const bytes = Buffer.allocUnsafe(size)
    for await (const _ of gather(source, size, () => bytes));
    await this.#decide(name, putId, (exclusive) => this.#bucket.put(name, bytes, { putId, exclusive }))
  }

  async open(key: string, first?: FirstBytes): Promise<ObjectReader> {
    const name = this.#nameOf(key)
    const start = first && first.length > 0 ? first.from : 0
    const end = start + (first && first.length > 0 ? first.length : firstWindow)
    try {
      const { total, body } = await this.#bucket.get(name, { start, end })
      return new RemoteReader(this.#bucket, name, total, stretchOf(body, start, Math.min(total, end)))
    } catch (error) {
      // An object that is shorter than its rows say has nothing there: whoever reads it finds that out.
      const code = error instanceof StorageError ? error.code : undefined
      if (start === 0 || code === undefined || code === 'not_found' || code === 'unreachable') throw error
      return this.open(key)
    }
  }

  remove(key: string): Promise<void> {
    return this.#named(key, (name) => this.#bucket.remove(name))
  }

  exists(key: string): Promise<boolean> {
    return this.#named(key, async (name) => (await this.#bucket.head(name)) !== undefined)
  }

  async list(orgId: string, page: { limit: number; after?: string | undefined }): Promise<KeyPage> {
    const { names, next } = await this.#bucket.list(`${this.#prefix}${orgId}/`, page)
    return { keys: names.map((name) => name.slice(this.#prefix.length)), ...(next !== undefined && { next }) }
  }

  removeStaleTemporaries(before: number): Promise<number> {
    return this.#bucket.abortStale(this.#prefix, before)
  }

  async beginParts(key: string, { size }: { size: number }): Promise<PartsOnTheWay> {
    const name = this.#nameOf(key)
    const putId = randomBytes(12).toString('hex')
    const upload = await this.#bucket.begin(name, putId)
    return {
      partBytes: Math.max(usualPartBytes, Math.ceil(size / mostParts / mib) * mib),
      put: (index, bytes) => upload.put(index, bytes),
      complete: () =>
        this.#decide(name, putId, async (exclusive) => {
          // Some providers overwrite here in spite of the condition.
          const there = await this.#bucket.head(name)
          return there && there.putId !== putId ? 'taken' : upload.complete(exclusive)
        }),
      abort: () => upload.abort(),
    }
  }

  async #putParts(key: string, source: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    const parts = await this.beginParts(key, { size })
    try {
      await sendParts(parts, source, size)
      await parts.complete()
    } catch (error) {
      // What is wrong is what the caller must hear of; an upload that cannot be aborted now is swept later.
      await parts.abort().catch(() => undefined)
      throw error
    }
  }

  /** One write under a name that may be taken, on providers with conditions and without. */
  async #decide(name: string, putId: string, write: (exclusive: boolean) => Promise<string>): Promise<void> {
    let outcome = this.#conditional ? await write(true) : 'unconditional'
    if (outcome === 'unconditional') {
      this.#conditional = false
      const there = await this.#bucket.head(name)
      outcome = there && there.putId !== putId ? 'taken' : await write(false)
    }
    if (outcome === 'stored') return
    // A try before this one may have stored it, and only its answer was lost.
    if ((await this.#bucket.head(name))?.putId !== putId) throw new StorageError('conflict', 'the name is taken')
  }

  #nameOf(key: string): string {
    assertObjectKey(key)
    return this.#prefix + key
  }

  async #named<T>(key: string, work: (name: string) => Promise<T>): Promise<T> {
    return work(this.#nameOf(key))
  }
}

/** Copies a source of exactly `size` bytes into buffers, giving out each when it is full, and the last. */
async function* gather(source: AsyncIterable<Uint8Array>, size: number, take: () => Buffer): AsyncGenerator<Buffer> {
  let buffer = take()
  let filled = 0
  let taken = 0
  for await (const piece of source) {
    if (taken + piece.length > size) throw new StorageError('size_mismatch', `more than ${size} bytes`)
    taken += piece.length
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + buffer.length - filled)
      buffer.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < buffer.length || (taken === size && at === piece.length)) continue
      yield buffer
      buffer = take()
      filled = 0
    }
  }
  if (taken !== size) throw new StorageError('size_mismatch', `${taken} bytes instead of ${size}`)
  yield buffer.subarray(0, filled)
}

/** Each on its way while the next ones are gathered. Nothing is under way any more when this ends. */
const sendParts = async (upload: PartsOnTheWay, source: AsyncIterable<Uint8Array>, size: number): Promise<void> => {
  const { partBytes } = upload
  const free: Buffer[] = []
  const running = new Set<Promise<void>>()
  let index = 0
  try {
    for await (const part of gather(source, size, () => free.pop() ?? Buffer.allocUnsafeSlow(partBytes))) {
      const sent = upload.put(index++, part).then(() => {
        running.delete(sent)
        free.push(part)
      })
      // Looked at by the race, or at the end.
      sent.catch(() => undefined)
      running.add(sent)
      if (running.size >= partsAtOnce) await Promise.race(running)
    }
    await Promise.all(running)
  } finally {
    await Promise.allSettled(running)
  }
}
