import type { SegmentWriter } from './types.ts'

/** An object in pieces on the local disk, whose place is elsewhere once it is whole. */
export class StagedSegment implements SegmentWriter {
  readonly #inner: SegmentWriter
  readonly #ends: { publish(): Promise<void>; discard(): Promise<void> }
  readonly size: number
  readonly finished: boolean

  constructor(inner: SegmentWriter, ends: { publish(): Promise<void>; discard(): Promise<void> }) {
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
  writeAt(offset: number, buffers: readonly Uint8Array[]): Promise<void> {
    return this.#inner.writeAt(offset, buffers)
  }
  sync(): Promise<void> {
    return this.#inner.sync()
  }
  confirm(): void {
    this.#inner.confirm()
  }
  async finish(): Promise<void> {
    await this.#inner.finish()
    await this.#ends.publish()
  }
  async discard(): Promise<void> {
    await this.#inner.discard()
    await this.#ends.discard()
  }
  close(): Promise<void> {
    return this.#inner.close()
  }
}
