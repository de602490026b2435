import { type Element, elementIds, elementsIn } from './matroska-elements.ts'
import { endOfMatroska } from './matroska-end.ts'
import { foreignCodec } from './matroska-foreign.ts'
import { type Media, type Recording, type Track, unknownMedia } from './media.types.ts'

const names: readonly (readonly [begins: string, codec: string])[] = [
  ['V_VP8', 'vp8'],
  ['V_VP9', 'vp9'],
  ['V_AV1', 'av1'],
  ['V_MPEG4/ISO/AVC', 'h264'],
  ['V_MPEGH/ISO/HEVC', 'hevc'],
  ['V_MPEG4/ISO/', 'mpeg4'],
  ['V_MJPEG', 'mjpeg'],
  ['A_OPUS', 'opus'],
  ['A_VORBIS', 'vorbis'],
  ['A_AAC', 'aac'],
  ['A_MPEG/L3', 'mp3'],
  ['A_FLAC', 'flac'],
  ['A_ALAC', 'alac'],
  ['A_PCM/INT/LIT', 'pcm_s16le'],
  ['A_PCM/INT/BIG', 'pcm_s16be'],
  ['A_PCM/FLOAT/IEEE', 'pcm_f32le'],
]

const ids = {
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  entry: 0xae,
  codec: 0x86,
  own: 0x63a2,
} as const
const lengths = { scale: 0x2ad7b1, duration: 0x4489, begins: 0xe7 } as const

interface Length {
  /** Nanoseconds of a unit. */
  readonly scale: number
  readonly units: number
}

const readLength = (bytes: Buffer, info: Element): Length => {
  let [scale, units] = [1_000_000, 0]
  for (const { id, from, to } of elementsIn(bytes, info.from, info.to)) {
    if (to > bytes.length) break
    if (id === lengths.scale && to - from <= 6) scale = bytes.readUIntBE(from, to - from)
    if (id === lengths.duration) units = to - from === 8 ? bytes.readDoubleBE(from) : bytes.readFloatBE(from)
  }
  return { scale, units }
}

/** When the first picture or sound is: a piece of a longer recording counts on from where the one before it ended. */
const beginsAt = (bytes: Buffer, first: Element): number => {
  for (const { id, from, to } of elementsIn(bytes, first.from, first.to))
    if (id === lengths.begins && to - from <= 6 && to <= bytes.length) return bytes.readUIntBE(from, to - from)
  return 0
}

const durationOf = ({ scale, units }: Length, begins: number): number | null => {
  const durationMs = Math.round(((units > begins ? units - begins : units) * scale) / 1_000_000)
  return Number.isSafeInteger(durationMs) && durationMs > 0 ? durationMs : null
}

const trackOf = (bytes: Buffer, entry: Element): Track | undefined => {
  const inside = [...elementsIn(bytes, entry.from, entry.to)].filter(({ to }) => to <= bytes.length)
  const textOf = ({ from, to }: Element) => bytes.toString('latin1', from, to).replace(/\0+$/, '')
  const codec = inside.find(({ id }) => id === ids.codec)
  const own = inside.find(({ id }) => id === ids.own)
  const name = codec ? textOf(codec) : ''
  if (!codec) return undefined
  const foreign = foreignCodec(name)
  if (foreign) {
    // What is private to the codec may be behind what was read: then nothing is known of it.
    if (!own && entry.to > bytes.length) return undefined
    const codecName = (own && foreign(bytes.subarray(own.from, own.to))) ?? name
    return { kind: name.startsWith('V') ? 'picture' : 'sound', codec: codecName }
  }
  const known = names.find(([begins]) => name.startsWith(begins))?.[1]
  return { kind: name.startsWith('V') ? 'picture' : 'sound', codec: known ?? name }
}

const readTracks = (bytes: Buffer, tracks: Element): Track[] =>
  [...elementsIn(bytes, tracks.from, tracks.to)]
    .filter(({ id }) => id === ids.entry)
    .flatMap((entry) => trackOf(bytes, entry) ?? [])

/** Matroska and WebM: what is before the first cluster, when that begins, and where nothing says how long it is, its end. */
export const readMatroska = async (recording: Recording): Promise<Media> => {
  const bytes = await recording.read(0, 65_536)
  const tracks: Track[] = []
  let length: Length = { scale: 1_000_000, units: 0 }
  let begins = 0
  for (const segment of elementsIn(bytes, 0, bytes.length)) {
    if (segment.id !== elementIds.segment || tracks.length > 0) continue
    for (const element of elementsIn(bytes, segment.from, segment.to)) {
      if (element.id === ids.info) length = readLength(bytes, element)
      if (element.id === ids.tracks) tracks.push(...readTracks(bytes, element))
      if (element.id !== elementIds.cluster) continue
      begins = beginsAt(bytes, element)
      break
    }
  }
  const { scale, units } = length
  const end = units > 0 ? units : await endOfMatroska(recording)
  return { ...unknownMedia, tracks, durationMs: durationOf({ scale, units: end }, begins) }
}
