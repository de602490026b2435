import type { Turns } from '../turns.ts'
import type { BufferPool } from './buffer-pool.ts'
import { addSpan, covers, type Span } from './segment-coverage.ts'
import type { ObjectReader, PartsOnTheWay } from './types.ts'

/** What all uploads of a process share: how many parts are on their way at once, and what holds them. */
export interface HeadStartShare {
  readonly turns: Turns
  readonly buffers: BufferPool
}

interface HeadStartOptions extends HeadStartShare {
  /** Whose turn it is. */
  readonly owner: string
  /** Bytes of the whole. */
  readonly size: number
  readonly begin: () => Promise<PartsOnTheWay>
}

/**
 * Sends an object to its place part by part, each as soon as all of it is durable on the local disk, while the rest still
 * comes. Nothing depends on it: what went wrong before the end is done over when the object is whole, and what a killed
 * process had sent is swept at the provider.
 */
export class HeadStart {
  readonly #options: HeadStartOptions
  #parts: Promise<PartsOnTheWay> | undefined
  #durable: Span[] = []
  /** Sent or being sent. */
  readonly #taken = new Set<number>()
  readonly #running = new Set<Promise<void>>()
  #failed = false
  #over = false

  constructor(options: HeadStartOptions) {
    this.#options = options
  }

  /** These bytes are durable and never change again; they are read from there when their turn comes. */
  take(span: Span, from: Pick<ObjectReader, 'read'>): void {
    this.#durable = addSpan(this.#durable, span)
    if (this.#failed || this.#over) return
    this.#parts ??= this.#options.begin()
    const sent = this.#sendWhatIsThere(from).catch(() => {
      this.#failed = true
    })
    this.#follow(sent)
  }

  /** Nothing is read any more when this resolves. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /**
   * Sends what is left of the whole object and gives it its name. False when it has to be brought there in another way,
   * since something went wrong before. Rejects when it goes wrong now, a taken name included.
   */
  async finish(whole: Pick<ObjectReader, 'read'>): Promise<boolean> {
    await this.settle()
    if (this.#failed) {
      await this.abort()
      return false
    }
    try {
      this.#parts ??= this.#options.begin()
      this.#durable = [{ start: 0, end: this.#options.size }]
      await this.#sendWhatIsThere(whole)
      await (await this.#parts).complete()
      this.#over = true
      return true
    } catch (error) {
      await this.abort()
      throw error
    }
  }

  /** Takes back what was sent. Never rejects; what stays is swept. Again, and after the end, a no-op. */
  async abort(): Promise<void> {
    if (this.#over) return
    this.#over = true
    await this.settle()
    await this.#parts?.then((parts) => parts.abort()).catch(() => undefined)
  }

  async #sendWhatIsThere(from: Pick<ObjectReader, 'read'>): Promise<void> {
    const parts = await this.#parts
    if (!parts) return
    const count = Math.ceil(this.#options.size / parts.partBytes)
    const mine: Promise<void>[] = []
    for (let index = 0; index < count; index++) {
      const start = index * parts.partBytes
      const end = Math.min(start + parts.partBytes, this.#options.size)
      if (this.#taken.has(index) || !covers(this.#durable, { start, end })) continue
      this.#taken.add(index)
      mine.push(this.#send(parts, index, { start, end }, from))
    }
    await Promise.allSettled(mine)
    await Promise.all(mine)
  }

  #send(parts: PartsOnTheWay, index: number, { start, end }: Span, from: Pick<ObjectReader, 'read'>): Promise<void> {
    const { turns, buffers, owner } = this.#options
    return turns.run(owner, async () => {
      if (this.#failed || this.#over) return
      const buffer = buffers.take(end - start)
      try {
        await parts.put(index, await from.read(start, end - start, buffer))
      } catch (error) {
        this.#failed = true
        throw error
      } finally {
        buffers.give(buffer)
      }
    })
  }

  #follow(sent: Promise<void>): void {
    this.#running.add(sent)
    void sent.finally(() => this.#running.delete(sent))
  }
}
