import type { FilmText } from './film.types.ts'
import { splitSpans } from './film-spans.ts'
import { makeBox, uint32s } from './mp4-boxes.ts'

/** Longer than anybody says at once; the length of a sample is a number of 16 bits. */
const longestBytes = 4000
const timescale = 1000

/** Words of a stretch, and the silence between two. */
export interface SubtitleSample {
  readonly durationMs: number
  readonly bytes: Buffer
}

const sampleBytes = (text: string): Buffer => {
  let words = text.toWellFormed()
  while (Buffer.byteLength(words) > longestBytes) words = words.slice(0, words.length >> 1)
  const body = Buffer.from(words)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(body.length)
  return Buffer.concat([length, body])
}

/** Everything that is said, without a hole from the film's beginning to its end; who speaks at once has a line each. */
export const subtitleSamples = (texts: readonly FilmText[], durationMs: number): SubtitleSample[] => {
  if (texts.length === 0) return []
  const spans = texts.map(({ fromMs, toMs, text }) => ({
    from: Math.round(fromMs),
    until: Math.round(toMs),
    value: text,
  }))
  return splitSpans(spans, Math.round(durationMs)).map(({ from, until, value }) => ({
    durationMs: until - from,
    bytes: sampleBytes(value.join('\n')),
  }))
}

/** Text in white on nothing, as players set it (3GPP TS 26.245, section 5.16). */
const description = (): Buffer => {
  const entry = Buffer.alloc(8)
  entry.writeUInt16BE(1, 6)
  const look = Buffer.from(
    '00000000 01ff 00000000 0000000000000000 0000 0000 0001 00 12 ffffffff'.replaceAll(' ', ''),
    'hex',
  )
  const fonts = makeBox('ftab', Buffer.from([0, 1, 0, 1, 4]), Buffer.from('Sans', 'latin1'))
  return makeBox('stsd', uint32s([0, 1]), makeBox('tx3g', entry, look, fonts))
}

const offsets = (at: number, isLarge: boolean): Buffer => {
  if (!isLarge) return makeBox('stco', uint32s([0, 1, at]))
  const large = Buffer.alloc(8)
  large.writeBigUInt64BE(BigInt(at))
  return makeBox('co64', uint32s([0, 1]), large)
}

/** Where the samples lie, and whether such places are numbers of 64 bits. */
interface Place {
  readonly at: number
  readonly isLarge: boolean
}

const sampleTable = (samples: readonly SubtitleSample[], { at, isLarge }: Place): Buffer =>
  makeBox(
    'stbl',
    description(),
    makeBox('stts', uint32s([0, samples.length]), uint32s(samples.flatMap(({ durationMs }) => [1, durationMs]))),
    makeBox('stsc', uint32s([0, 1, 1, samples.length, 1])),
    makeBox('stsz', uint32s([0, 0, samples.length]), uint32s(samples.map(({ bytes }) => bytes.length))),
    offsets(at, isLarge),
  )

const identity = uint32s([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000])
/** In the film, but not shown before somebody asks for it. */
const isInMovie = 2

/** A track of subtitles (ISO/IEC 14496-12, section 8.3) whose samples lie one behind the other from `at` on. */
export const subtitleTrack = (
  samples: readonly SubtitleSample[],
  place: Place & { readonly id: number; readonly movieDuration: number },
): Buffer => {
  const { id, movieDuration } = place
  const durationMs = samples.reduce((sum, sample) => sum + sample.durationMs, 0)
  const unknownLanguage = Buffer.from([0x55, 0xc4, 0, 0])
  const handler = Buffer.concat([
    uint32s([0, 0]),
    Buffer.from('sbtl', 'latin1'),
    uint32s([0, 0, 0]),
    Buffer.from('Subtitles\0'),
  ])
  const reference = makeBox('dref', uint32s([0, 1]), makeBox('url ', uint32s([1])))
  return makeBox(
    'trak',
    makeBox('tkhd', uint32s([isInMovie, 0, 0, id, 0, movieDuration, 0, 0, 0, 0]), identity, uint32s([0, 0])),
    makeBox(
      'mdia',
      makeBox('mdhd', uint32s([0, 0, 0, timescale, durationMs]), unknownLanguage),
      makeBox('hdlr', handler),
      makeBox('minf', makeBox('nmhd', uint32s([0])), makeBox('dinf', reference), sampleTable(samples, place)),
    ),
  )
}
