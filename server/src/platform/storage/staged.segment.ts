import type { HeadStart } from './head-start.ts'
import type { Span } from './segment-coverage.ts'
import type { SegmentWriter } from './types.ts'

interface StagedEnds {
  /** Sends what is durable while the rest comes, where the place can take an object in parts. */
  readonly headStart: HeadStart | undefined
  publish(): Promise<void>
  discard(): Promise<void>
}

/** An object in pieces on the local disk, whose place is elsewhere once it is whole. */
export class StagedSegment implements SegmentWriter {
  readonly #inner: SegmentWriter
  readonly #ends: StagedEnds
  readonly size: number
  readonly finished: boolean
  /** Not remembered as written yet. */
  #written: Span[] = []

  constructor(inner: SegmentWriter, ends: StagedEnds) {
    this.#inner = inner
    this.#ends = ends
    this.size = inner.size
    this.finished = inner.finished
  }

  isUntouched(offset: number, length: number): Promise<boolean> {
    return this.#inner.isUntouched(offset, length)
  }

  read(offset: number, length: number, into?: Buffer): Promise<Buffer> {
    return this.#inner.read(offset, length, into)
  }

  async writeAt(offset: number, buffers: readonly Uint8Array[]): Promise<void> {
    await this.#inner.writeAt(offset, buffers)
    this.#written.push({ start: offset, end: offset + buffers.reduce((sum, { length }) => sum + length, 0) })
  }

  async sync(): Promise<void> {
    const spans = this.#written
    this.#written = []
    await this.#inner.sync()
    for (const span of spans) this.#ends.headStart?.take(span, this.#inner)
  }

  confirm(): void {
    this.#inner.confirm()
  }

  async finish(): Promise<void> {
    await this.#ends.headStart?.settle()
    await this.#inner.finish()
    await this.#ends.publish()
  }

  async discard(): Promise<void> {
    await this.#ends.headStart?.abort()
    await this.#inner.discard()
    await this.#ends.discard()
  }

  async close(): Promise<void> {
    await this.#ends.headStart?.abort()
    await this.#inner.close()
  }
}
