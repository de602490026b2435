import { boxesIn, childBox } from '../film/mp4-boxes.ts'
import { lookInto } from './look-into.ts'
import type { Recording } from './media.types.ts'

/** Of a track in fragments: units of a second, and how long a sample is that says nothing itself. */
interface Timing {
  readonly scale: number
  readonly sample: number
}

const largestFragment = 256 * 1024

const timingsOf = (movie: Buffer): Map<number, Timing> => {
  const samples = new Map(
    boxesIn(childBox(movie, 'mvex') ?? Buffer.alloc(0)).flatMap(({ type, body }) =>
      type === 'trex' && body.length >= 16 ? [[body.readUInt32BE(4), body.readUInt32BE(12)] as const] : [],
    ),
  )
  const timings = new Map<number, Timing>()
  for (const { type, body } of boxesIn(movie)) {
    const [track, media] = type === 'trak' ? [childBox(body, 'tkhd'), childBox(body, 'mdia', 'mdhd')] : []
    if (!track || !media || track.length < 24 || media.length < 24) continue
    const id = track.readUInt32BE(track[0] === 1 ? 20 : 12)
    timings.set(id, { scale: media.readUInt32BE(media[0] === 1 ? 20 : 12), sample: samples.get(id) ?? 0 })
  }
  return timings
}

/** What a fragment says of its samples by default (`tfhd`), behind what else it may say. */
const sampleOf = (head: Buffer, otherwise: number): number => {
  const flags = head.readUIntBE(1, 3)
  const at = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0)
  return flags & 8 && at + 4 <= head.length ? head.readUInt32BE(at) : otherwise
}

/** How long the samples of a run (`trun`) are together. */
const lengthOfRun = (run: Buffer, sample: number): number => {
  const [flags, count] = [run.readUIntBE(1, 3), run.readUInt32BE(4)]
  if (!(flags & 0x100)) return count * sample
  const from = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)
  const step = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length
  let length = 0
  for (let n = 0, at = from; n < count && at + 4 <= run.length; n += 1, at += step) length += run.readUInt32BE(at)
  return length
}

/** From when to when a track is in a fragment, in seconds. */
const spanOf = (fragment: Buffer, timings: ReadonlyMap<number, Timing>): readonly [number, number] | undefined => {
  const [head, time] = [childBox(fragment, 'tfhd'), childBox(fragment, 'tfdt')]
  const timing = head && head.length >= 8 ? timings.get(head.readUInt32BE(4)) : undefined
  if (!head || !time || !timing || timing.scale === 0 || time.length < (time[0] === 1 ? 12 : 8)) return undefined
  const begins = time[0] === 1 ? Number(time.readBigUInt64BE(4)) : time.readUInt32BE(4)
  const sample = sampleOf(head, timing.sample)
  const runs = boxesIn(fragment).filter(({ type, body }) => type === 'trun' && body.length >= 8)
  const length = runs.reduce((sum, { body }) => sum + lengthOfRun(body, sample), 0)
  return [begins / timing.scale, (begins + length) / timing.scale]
}

/**
 * How long a recording in fragments is, milliseconds, as browsers write it while they record: from the first of its samples to
 * the end of the last. Null where it has none, and where its end is behind the first megabytes.
 */
export const lengthOfFragments = async (recording: Recording, movie: Buffer): Promise<number | null> => {
  const timings = timingsOf(movie)
  const look = lookInto(recording)
  let [begins, ends] = [Number.POSITIVE_INFINITY, 0]
  for (let at = 0; at < recording.sizeBytes; ) {
    const head = await look(at, 16)
    if (head.length === 0) return null
    if (head.length < 16) break
    const told = head.readUInt32BE(0)
    const size = told === 1 ? Number(head.readBigUInt64BE(8)) : told
    if (size < 8) break
    if (head.toString('latin1', 4, 8) === 'moof' && size <= largestFragment) {
      for (const part of boxesIn((await look(at, size)).subarray(8))) {
        const span = part.type === 'traf' ? spanOf(part.body, timings) : undefined
        if (!span) continue
        begins = Math.min(begins, span[0])
        ends = Math.max(ends, span[1])
      }
    }
    at += size
  }
  const durationMs = Math.round((ends - begins) * 1000)
  return Number.isSafeInteger(durationMs) && durationMs > 0 ? durationMs : null
}
