import { boxesIn, childBox } from '../film/mp4-boxes.ts'
import { type Media, type Recording, type Track, unknownMedia } from './media.types.ts'
import { lengthOfFragments } from './mp4-end.ts'

/** Sample entries by their four letters (ISO/IEC 14496-12 and the registry mp4ra.org, QuickTime). */
const names: Readonly<Record<string, string>> = {
  avc1: 'h264',
  avc3: 'h264',
  hvc1: 'hevc',
  hev1: 'hevc',
  dvh1: 'hevc',
  dvhe: 'hevc',
  vp08: 'vp8',
  vp09: 'vp9',
  av01: 'av1',
  mp4v: 'mpeg4',
  jpeg: 'mjpeg',
  mjpa: 'mjpeg',
  Opus: 'opus',
  fLaC: 'flac',
  alac: 'alac',
  '.mp3': 'mp3',
  ulaw: 'pcm_mulaw',
  alaw: 'pcm_alaw',
  sowt: 'pcm_s16le',
  twos: 'pcm_s16be',
  'raw ': 'pcm_u8',
  lpcm: 'pcm_s16le',
  ipcm: 'pcm_s16le',
  in24: 'pcm_s24be',
  in32: 'pcm_s32be',
  fl32: 'pcm_f32be',
  fl64: 'pcm_f64be',
  fpcm: 'pcm_f32le',
  samr: 'amrnb',
  sawb: 'amrwb',
  'ms\0\x02': 'adpcm_ms',
  'ms\0\x11': 'adpcm_ima_wav',
  'ms\0U': 'mp3',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  encv: 'encrypted',
  enca: 'encrypted',
}
/** Object types of MPEG-4 sound (mp4ra.org). */
const objectTypes: Readonly<Record<number, string>> = {
  64: 'aac',
  102: 'aac',
  103: 'aac',
  104: 'aac',
  105: 'mp3',
  107: 'mp3',
  173: 'opus',
  221: 'vorbis',
  165: 'ac3',
  166: 'eac3',
  169: 'dts',
}
const kinds: Readonly<Record<string, Track['kind']>> = { vide: 'picture', soun: 'sound' }

/** The codec of a sample entry (`body`: what is behind its four letters); other containers hold them too. */
export const codecOfEntry = (type: string, body: Buffer): string =>
  type === 'mp4a' ? objectTypeOf(body) : (names[type] ?? type)

/** The object type of an `mp4a` entry: behind the tag 4 of its descriptor. */
const objectTypeOf = (entry: Buffer): string => {
  const at = entry.indexOf('esds', 0, 'latin1')
  const tag = at < 0 ? -1 : entry.indexOf(0x04, at + 8 + 3)
  if (tag < 0) return 'aac'
  // A length of up to four bytes stands between, each but the last with its first bit set.
  let behind = tag + 1
  while ((entry[behind] ?? 0) >= 0x80) behind += 1
  const type = entry[behind + 1] ?? 0
  return objectTypes[type] ?? `MPEG-4 object type ${type}`
}

const trackOf = (track: Buffer): Track | undefined => {
  const kind = kinds[childBox(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12) ?? '']
  const entries = childBox(track, 'mdia', 'minf', 'stbl', 'stsd')?.subarray(8)
  const [entry] = entries ? boxesIn(entries) : []
  if (!kind || !entry) return undefined
  return { kind, codec: codecOfEntry(entry.type, entry.body) }
}

/** For how long a track shows nothing first, in units of the movie: a piece of a longer recording begins where that was. */
const emptyUntil = (track: Buffer): number => {
  const list = childBox(track, 'edts', 'elst')
  if (!list || list.length < 8) return 0
  const isLong = list[0] === 1
  let units = 0
  for (let at = 8; at + (isLong ? 20 : 12) <= list.length; at += isLong ? 20 : 12) {
    if ((isLong ? list.readInt32BE(at + 8) : list.readInt32BE(at + 4)) !== -1) break
    units += isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at)
  }
  return units
}

const durationOf = (movie: Buffer, empty: number): number | null => {
  const head = childBox(movie, 'mvhd')
  if (!head || head.length < 32) return null
  const [scale, units] =
    head[0] === 1
      ? [head.readUInt32BE(20), Number(head.readBigUInt64BE(24))]
      : [head.readUInt32BE(12), head.readUInt32BE(16)]
  const durationMs = Math.round(((units - (empty < units ? empty : 0)) / scale) * 1000)
  return Number.isSafeInteger(durationMs) && durationMs > 0 && units < 0xffffffff ? durationMs : null
}

const largestIndex = 16 * 1024 * 1024

/** Walks the outer boxes to the index (`moov`), which may be the last. */
export const readMp4 = async (recording: Recording): Promise<Media> => {
  const { read, sizeBytes } = recording
  for (let at = 0, boxes = 0; at + 8 <= sizeBytes && boxes < 256; boxes++) {
    const head = await read(at, 16)
    if (head.length < 8) break
    const told = head.readUInt32BE(0)
    const size = told === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : told
    if (head.toString('latin1', 4, 8) === 'moov') {
      if (at + size > sizeBytes) return { ...unknownMedia, readable: false }
      if (size > largestIndex) break
      const movie = (await read(at, size)).subarray(8)
      const tracks = boxesIn(movie).flatMap(({ type, body }) => (type === 'trak' ? body : []))
      const known = tracks.flatMap((body) => {
        const track = trackOf(body)
        return track ? { track, empty: emptyUntil(body) } : []
      })
      const empty = Math.min(...known.map((one) => one.empty))
      const told = durationOf(movie, empty)
      const isInFragments = childBox(movie, 'mvex') !== undefined
      const durationMs = isInFragments ? ((await lengthOfFragments(recording, movie)) ?? told) : told
      return { ...unknownMedia, tracks: known.map(({ track }) => track), durationMs }
    }
    if (size < 8) break
    at += size
    // An index that was never written, or is behind where the bytes end.
    if (at >= sizeBytes) return { ...unknownMedia, readable: false }
  }
  return unknownMedia
}
