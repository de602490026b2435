import { type Box, boxesIn, childBox, makeBox, uint32s } from './mp4-boxes.ts'
import { type Chapter, chapterBox } from './mp4-chapters.ts'
import type { EncodedFilm } from './mp4-fragments.ts'
import { type TrackSamples, trackId } from './mp4-samples.ts'
import { type SubtitleSample, subtitleTrack } from './mp4-subtitles.ts'

/*
 * Everything of an MP4 that is before its media (ISO/IEC 14496-12): players know duration and every key frame from
 * the first bytes on, and can seek. The descriptions of the encoder are kept; times and tables are made new.
 */

interface Film extends EncodedFilm {
  readonly durationMs: number
  /** With the subtitles, which come last. */
  readonly mediaBytes: number
  readonly chapters: readonly Chapter[]
  readonly subtitles: readonly SubtitleSample[]
}

/** Timescale of a `mvhd` or `mdhd`. */
const timescaleOf = (header: Buffer): number => header.readUInt32BE(header.readUInt8(0) === 1 ? 20 : 12)

/** A copy of a header with another duration; its place in 32-bit and in 64-bit headers. */
const withDuration = (header: Buffer, duration: number, place: { short: number; long: number }): Buffer => {
  const copy = Buffer.from(header)
  if (copy.readUInt8(0) === 1) copy.writeBigUInt64BE(BigInt(duration), place.long)
  else copy.writeUInt32BE(duration, place.short)
  return copy
}
const inMovieOrMedia = { short: 16, long: 24 }
const inTrack = { short: 20, long: 28 }

const table = (type: string, values: Uint32Array): Buffer => {
  const swapped = Buffer.from(Uint32Array.from(values).buffer).swap32()
  return makeBox(type, uint32s([0, values.length]), swapped)
}

const runTable = (type: string, runs: TrackSamples['durations']): Buffer => {
  const [counts, numbers] = [runs.counts.values(), runs.numbers.values()]
  const body = Buffer.allocUnsafe(counts.length * 8)
  for (let index = 0; index < counts.length; index++) {
    body.writeUInt32BE(counts[index] as number, index * 8)
    body.writeUInt32BE(numbers[index] as number, index * 8 + 4)
  }
  return makeBox(type, uint32s([0, counts.length]), body)
}

const chunkTable = (track: TrackSamples): Buffer => {
  const [counts, numbers] = [track.samplesPerChunk.counts.values(), track.samplesPerChunk.numbers.values()]
  const entries: number[] = []
  let chunk = 1
  for (let index = 0; index < counts.length; index++) {
    entries.push(chunk, numbers[index] as number, 1)
    chunk += counts[index] as number
  }
  return makeBox('stsc', uint32s([0, counts.length]), uint32s(entries))
}

const offsetTable = (track: TrackSamples, base: number, isLarge: boolean): Buffer => {
  const width = isLarge ? 8 : 4
  const body = Buffer.allocUnsafe(track.chunkOffsets.length * width)
  for (const [index, offset] of track.chunkOffsets.entries()) {
    if (isLarge) body.writeBigUInt64BE(BigInt(base + offset), index * 8)
    else body.writeUInt32BE(base + offset, index * 4)
  }
  return makeBox(isLarge ? 'co64' : 'stco', uint32s([0, track.chunkOffsets.length]), body)
}

const sampleTable = (stbl: Buffer, track: TrackSamples, base: number, isLarge: boolean): Buffer => {
  const isReordered = track.compositionOffsets.numbers.values().some((offset) => offset !== 0)
  const isAllSync = track.syncSamples.length === track.sizes.length
  const sizes = Buffer.from(Uint32Array.from(track.sizes.values()).buffer).swap32()
  return makeBox(
    'stbl',
    makeBox('stsd', childBox(stbl, 'stsd') ?? Buffer.alloc(8)),
    runTable('stts', track.durations),
    ...(isReordered ? [runTable('ctts', track.compositionOffsets)] : []),
    ...(isAllSync ? [] : [table('stss', track.syncSamples.values())]),
    chunkTable(track),
    makeBox('stsz', uint32s([0, 0, track.sizes.length]), sizes),
    offsetTable(track, base, isLarge),
  )
}

/** Shows the track from where its first picture or sound is, after what an encoder puts before it, to the film's end. */
const editList = (trak: Buffer, duration: number): Buffer => {
  const list = childBox(trak, 'edts', 'elst')
  const entries = list ? list.readUInt32BE(4) : 0
  const isLong = list?.readUInt8(0) === 1
  const last = 8 + (entries - 1) * (isLong ? 20 : 12)
  let mediaTime = 0
  if (list && entries > 0) mediaTime = isLong ? Number(list.readBigInt64BE(last + 8)) : list.readInt32BE(last + 4)
  return makeBox('edts', makeBox('elst', uint32s([0, 1, duration, Math.max(0, mediaTime), 0x10000])))
}

/** Replaces some boxes of a body and keeps the rest as it is. */
const rebuilt = (body: Buffer, replace: (box: Box) => Buffer | undefined): Buffer[] =>
  boxesIn(body).map((box) => replace(box) ?? makeBox(box.type, box.body))

const mediaBox = (mdia: Buffer, track: TrackSamples, base: number, isLarge: boolean): Buffer =>
  makeBox(
    'mdia',
    ...rebuilt(mdia, ({ type, body }) => {
      if (type === 'mdhd') return makeBox('mdhd', withDuration(body, track.endTime, inMovieOrMedia))
      if (type !== 'minf') return undefined
      return makeBox(
        'minf',
        ...rebuilt(body, (box) => (box.type === 'stbl' ? sampleTable(box.body, track, base, isLarge) : undefined)),
      )
    }),
  )

const trackBox = (trak: Buffer, film: Film, place: { base: number; isLarge: boolean; duration: number }): Buffer => {
  const header = childBox(trak, 'tkhd')
  const track = header && film.tracks.get(trackId(header))
  if (!track) return Buffer.alloc(0)
  const parts = boxesIn(trak).flatMap(({ type, body }) => {
    if (type === 'tkhd')
      return [makeBox('tkhd', withDuration(body, place.duration, inTrack)), editList(trak, place.duration)]
    return type === 'mdia' ? [mediaBox(body, track, place.base, place.isLarge)] : []
  })
  return makeBox('trak', ...parts)
}

/** The movie's header, with room for one more track after those of the encoder. */
const movieHeader = (header: Buffer, duration: number, lastTrack: number): Buffer => {
  const copy = withDuration(header, duration, inMovieOrMedia)
  copy.writeUInt32BE(lastTrack + 1, copy.length - 4)
  return makeBox('mvhd', copy)
}

const movieBox = (film: Film, base: number, isLarge: boolean): Buffer => {
  const { chapters, subtitles, mediaBytes } = film
  const header = childBox(film.moov, 'mvhd')
  const duration = Math.round((film.durationMs * (header ? timescaleOf(header) : 1000)) / 1000)
  const id = Math.max(0, ...film.tracks.keys()) + 1
  const parts = boxesIn(film.moov).flatMap(({ type, body }) => {
    if (type === 'mvhd') return [movieHeader(body, duration, subtitles.length > 0 ? id : id - 1)]
    return type === 'trak' ? [trackBox(body, film, { base, isLarge, duration })] : []
  })
  if (subtitles.length > 0) {
    const at = base + mediaBytes - subtitles.reduce((sum, { bytes }) => sum + bytes.length, 0)
    parts.push(subtitleTrack(subtitles, { id, at, isLarge, movieDuration: duration }))
  }
  return makeBox('moov', ...parts, chapterBox(chapters))
}

/** What is before `mediaBytes` bytes of media to make an MP4 of them. */
export const filmHead = (film: Film): Buffer => {
  const brands = Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1')
  const type = makeBox('ftyp', brands)
  const isLarge = film.mediaBytes > 2 ** 32 - 2 ** 26
  const media = isLarge ? Buffer.alloc(16) : Buffer.alloc(8)
  media.write('mdat', 4, 'latin1')
  media.writeUInt32BE(isLarge ? 1 : film.mediaBytes + 8)
  if (isLarge) media.writeBigUInt64BE(BigInt(film.mediaBytes + 16), 8)
  // The tables are as long wherever the media begin.
  const base = type.length + movieBox(film, 0, isLarge).length + media.length
  return Buffer.concat([type, movieBox(film, base, isLarge), media])
}
