import { GrowingNumbers, RunLengths } from './growing-numbers.ts'
import { boxesIn, childBox } from './mp4-boxes.ts'

/** Where the samples of one track are and when they are shown; the tables of a `stbl` grow out of it. */
export class TrackSamples {
  readonly sizes = new GrowingNumbers()
  readonly durations = new RunLengths()
  readonly compositionOffsets = new RunLengths()
  /** Numbers, from 1 on, of the samples that decoding can begin with. */
  readonly syncSamples = new GrowingNumbers()
  /** Offset of each chunk in the media bytes. */
  readonly chunkOffsets: number[] = []
  readonly samplesPerChunk = new RunLengths()
  /** Sum of all durations. */
  endTime = 0

  /** A fragment that begins later than the samples before it end: the last of them lasted until then. */
  continueAt(time: number): void {
    if (time > this.endTime && this.sizes.length > 0) {
      this.durations.addToLast(time - this.endTime)
      this.endTime = time
    }
  }

  push(sample: { size: number; duration: number; compositionOffset: number; isSync: boolean }): void {
    this.sizes.push(sample.size)
    this.durations.push(sample.duration)
    this.compositionOffsets.push(sample.compositionOffset)
    if (sample.isSync) this.syncSamples.push(this.sizes.length)
    this.endTime += sample.duration
  }
}

/** One run of samples that are behind each other. */
export interface SampleRun {
  readonly track: TrackSamples
  readonly samples: number
  /** From the first byte of the `moof` that describes it. */
  readonly offset: number
}

const nonSync = 0x10000

/** Reads the fields of a full box one after the other. */
class Fields {
  readonly flags: number
  readonly version: number
  readonly #body: Buffer
  #at = 4

  constructor(body: Buffer) {
    this.#body = body
    this.version = body.readUInt8(0)
    this.flags = body.readUIntBE(1, 3)
  }
  uint32(): number {
    this.#at += 4
    return this.#body.readUInt32BE(this.#at - 4)
  }
  uint64(): number {
    return this.uint32() * 2 ** 32 + this.uint32()
  }
  /** The next field if the flag says that it is there. */
  optional(flag: number, absent: number): number {
    return this.flags & flag ? this.uint32() : absent
  }
}

const readRun = (trun: Buffer, track: TrackSamples, defaults: { duration: number; size: number; flags: number }) => {
  const fields = new Fields(trun)
  const samples = fields.uint32()
  const offset = fields.optional(0x1, 0)
  const firstFlags = fields.optional(0x4, defaults.flags)
  for (let index = 0; index < samples; index++) {
    const duration = fields.optional(0x100, defaults.duration)
    const size = fields.optional(0x200, defaults.size)
    const flags = fields.optional(0x400, index === 0 ? firstFlags : defaults.flags)
    const compositionOffset = fields.optional(0x800, 0)
    track.push({ size, duration, compositionOffset, isSync: (flags & nonSync) === 0 })
  }
  track.samplesPerChunk.push(samples)
  return { track, samples, offset }
}

/**
 * Adds the samples of one `moof` to their tracks (ISO/IEC 14496-12, section 8.8). Offsets count from the moof
 * (`default-base-is-moof`). Tracks that are not in the map are left out.
 */
export const readMovieFragment = (moof: Buffer, tracks: ReadonlyMap<number, TrackSamples>): SampleRun[] => {
  const runs: SampleRun[] = []
  for (const { type, body } of boxesIn(moof)) {
    const header = type === 'traf' ? childBox(body, 'tfhd') : undefined
    if (!header) continue
    const fields = new Fields(header)
    const track = tracks.get(fields.uint32())
    if (!track) continue
    if (fields.flags & 0x1) fields.uint64()
    fields.optional(0x2, 0)
    const duration = fields.optional(0x8, 0)
    const size = fields.optional(0x10, 0)
    const flags = fields.optional(0x20, 0)
    const decodeTime = childBox(body, 'tfdt')
    if (decodeTime) {
      const time = new Fields(decodeTime)
      track.continueAt(time.version === 1 ? time.uint64() : time.uint32())
    }
    for (const run of boxesIn(body)) {
      if (run.type === 'trun') runs.push(readRun(run.body, track, { duration, size, flags }))
    }
  }
  return runs
}

/** The tracks of a `moov`, each without samples. */
export const tracksOf = (moov: Buffer): Map<number, TrackSamples> => {
  const tracks = new Map<number, TrackSamples>()
  for (const { type, body } of boxesIn(moov)) {
    const header = type === 'trak' ? childBox(body, 'tkhd') : undefined
    if (header) tracks.set(trackId(header), new TrackSamples())
  }
  return tracks
}

/** The number of a track, from its header. */
export const trackId = (tkhd: Buffer): number => tkhd.readUInt32BE(tkhd.readUInt8(0) === 1 ? 20 : 12)
