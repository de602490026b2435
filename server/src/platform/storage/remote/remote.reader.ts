import type { Readable } from 'node:stream'
import { type ObjectReader, StorageError } from '../types.ts'
import { connectionError, isGivenUp, waitingFor } from './remote.request.ts'
import type { Bucket } from './remote.types.ts'

/** Asked for with the opening: whole stills, and little to throw away when only a range is wanted. */
export const firstWindow = 256 * 1024
/** Asked for at a time when an object is read from end to end. */
const window = 8 * 1024 * 1024
/** Times in a row that one stretch may break off without a single byte. */
const patience = 4

/** What is under way: bytes from `at` up to `until`. */
interface Stretch {
  readonly body: Readable
  readonly pieces: AsyncIterator<Buffer>
  rest: Buffer
  at: number
  readonly until: number
}

export const stretchOf = (body: Readable, at: number, until: number): Stretch => ({
  body,
  pieces: body.iterator({ destroyOnReturn: true }) as AsyncIterator<Buffer>,
  rest: Buffer.alloc(0),
  at,
  until,
})

/** Reads on where it stopped as long as the reads follow each other, and asks again where a connection broke off. */
export class RemoteReader implements ObjectReader {
  readonly size: number
  readonly #bucket: Bucket
  readonly #name: string
  #stretch: Stretch | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(bucket: Bucket, name: string, size: number, stretch: Stretch | undefined) {
    this.#bucket = bucket
    this.#name = name
    this.size = size
    this.#stretch = stretch
  }

  read(offset: number, length: number, into?: Buffer): Promise<Buffer> {
    const run = this.#last.then(() => this.#read(offset, length, into))
    this.#last = run.catch(() => undefined)
    return run
  }

  async close(): Promise<void> {
    this.#leave()
  }

  async #read(offset: number, length: number, into: Buffer | undefined): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - offset))
    const found = into ?? Buffer.allocUnsafe(wanted)
    let fruitless = 0
    for (let done = 0; done < wanted; ) {
      const piece = await this.#next(offset + done, wanted - done).catch((error: unknown) => {
        this.#leave()
        const failure = connectionError(error)
        if (failure.code !== 'unreachable' || isGivenUp(failure) || ++fruitless === patience) throw failure
        return Buffer.alloc(0)
      })
      if (piece.length > 0) fruitless = 0
      piece.copy(found, done)
      done += piece.length
    }
    return found.subarray(0, wanted)
  }

  /** Some of the bytes from there on, at most `most`. */
  async #next(at: number, most: number): Promise<Buffer> {
    const stretch = this.#stretch?.at === at ? this.#stretch : await this.#seek(at, most)
    if (stretch.rest.length === 0) {
      const { done, value } = await this.#waitFor(stretch)
      if (done === true) throw new StorageError('unreachable', 'the provider broke off in the middle of an object')
      stretch.rest = value
    }
    const piece = stretch.rest.subarray(0, Math.min(most, stretch.until - at))
    stretch.rest = stretch.rest.subarray(piece.length)
    stretch.at += piece.length
    if (stretch.at === stretch.until) this.#leave()
    return piece
  }

  /** Only who asks for bytes waits for the provider; one that was slow to ask did not. */
  #waitFor({ body, pieces }: Stretch): Promise<IteratorResult<Buffer>> {
    const read = (_: unknown, signal: AbortSignal | undefined) => {
      const cut = () => {
        body.on('error', () => undefined)
        body.destroy()
      }
      signal?.addEventListener('abort', cut, { once: true })
      return pieces.next().finally(() => signal?.removeEventListener('abort', cut))
    }
    return waitingFor(this.#bucket.pulse, read, { goesOn: true })
  }

  async #seek(at: number, most: number): Promise<Stretch> {
    const goesOn = at > 0 && this.#stretch === undefined
    this.#leave()
    const until = Math.min(this.size, at + (goesOn ? Math.max(window, most) : most))
    const { body } = await this.#bucket.get(this.#name, { start: at, end: until })
    this.#stretch = stretchOf(body, at, until)
    return this.#stretch
  }

  /** What was read to its end gives its connection back; of the rest a little is drained, more is cut off. */
  #leave(): void {
    const stretch = this.#stretch
    this.#stretch = undefined
    if (!stretch) return
    if (stretch.until - stretch.at > firstWindow) {
      stretch.body.on('error', () => undefined)
      stretch.body.destroy()
    } else drain(stretch.pieces).catch(() => undefined)
  }
}

const drain = async (pieces: AsyncIterator<Buffer>): Promise<void> => {
  while ((await pieces.next()).done !== true);
}
