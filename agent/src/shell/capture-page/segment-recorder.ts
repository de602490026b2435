import type { Energy, SegmentPart } from '../../machine/page/messages.ts'
import { pageNow } from './page-clock.ts'

/** How often a recorder gives what it has: what a crash may cost, and how finely a lost source can be cut off. */
const sliceMs = 500
/** How much sound browsers put in one packet of Opus. */
const soundPacketMs = 60
/** How long a recorder may take to begin or to end. */
const turnMs = 3000

/** A part, with the page time at which it came. */
export interface RecordedPart {
  part: SegmentPart
  bytes: Uint8Array<ArrayBuffer>
  cameAt: number
}

const noEnergy: Energy = { squares: 0, peak: 0, samples: 0 }

/** Resolves at the event, or after a while without it. */
const happens = (target: EventTarget, name: string): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, turnMs)
    const heard = (): void => {
      clearTimeout(timer)
      resolve()
    }
    target.addEventListener(name, heard, { once: true })
  })

/**
 * Records a stream in files that play by themselves. The recorder of the next file runs before that of the last one is
 * stopped, so that they overlap by the time a recorder takes to begin (about 60 ms) and nothing is lost between them.
 */
export class SegmentRecorder {
  readonly #stream: MediaStream
  readonly #energyOf: () => Energy
  readonly #parts: RecordedPart[] = []
  #current: MediaRecorder | undefined
  #count = 0
  /** Blobs are read one after the other, or parts would overtake each other. */
  #reading: Promise<void> = Promise.resolve()

  constructor(stream: MediaStream, energyOf: () => Energy = () => noEnergy) {
    this.#stream = stream
    this.#energyOf = energyOf
  }

  /** Begins a segment and ends the one before it. Throws what `MediaRecorder` throws. */
  async cut(contentType: string, bitsPerSecond: number): Promise<number> {
    const before = this.#current
    const segment = this.#count
    this.#count += 1
    const bits = { audioBitsPerSecond: bitsPerSecond, videoBitsPerSecond: bitsPerSecond }
    const recorder = new MediaRecorder(this.#stream, { mimeType: contentType, ...bits })
    this.#listen(recorder, segment)
    this.#current = recorder
    const begun = happens(recorder, 'start')
    recorder.start(sliceMs)
    await begun
    await this.#stop(before)
    return segment
  }

  /** The parts that came until then (page time), in order; they are not kept. */
  async take(until: number): Promise<RecordedPart[]> {
    await this.#reading
    const count = this.#parts.findIndex(({ cameAt }) => cameAt > until)
    return this.#parts.splice(0, count < 0 ? this.#parts.length : count)
  }

  /** Ends the open segment; all its parts can be taken afterwards. */
  async stop(): Promise<void> {
    await this.#stop(this.#current)
    this.#current = undefined
    await this.#reading
  }

  async #stop(recorder: MediaRecorder | undefined): Promise<void> {
    if (!recorder || recorder.state === 'inactive') return
    const stopped = happens(recorder, 'stop')
    recorder.stop()
    await stopped
  }

  #listen(recorder: MediaRecorder, segment: number): void {
    // The event follows the first thing that was encoded: a whole packet of sound, or a frame.
    const firstMs = this.#stream.getVideoTracks().length === 0 ? soundPacketMs : 0
    let startedAt = pageNow()
    recorder.addEventListener('start', () => {
      startedAt = Math.max(startedAt, pageNow() - firstMs)
    })
    const add = (blob: Blob | undefined): void => {
      const cameAt = pageNow()
      const energy = this.#energyOf()
      this.#reading = this.#reading.then(async () => {
        const bytes = new Uint8Array(blob ? await blob.arrayBuffer() : new ArrayBuffer(0))
        const part = { segment, length: bytes.length, startedAt, endedAt: cameAt, last: blob === undefined, energy }
        this.#parts.push({ part, bytes, cameAt })
      })
    }
    recorder.addEventListener('dataavailable', ({ data }) => {
      if (data.size > 0) add(data)
    })
    recorder.addEventListener('stop', () => add(undefined))
  }
}
