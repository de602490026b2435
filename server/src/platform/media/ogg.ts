import { type Media, type Recording, type Track, unknownMedia } from './media.types.ts'

const sounds: readonly (readonly [begins: string, codec: string])[] = [
  ['OpusHead', 'opus'],
  ['\x01vorbis', 'vorbis'],
  ['\x7fFLAC', 'flac'],
  ['Speex   ', 'speex'],
]
const firstPage = 2

/** The longest page (RFC 3533, section 6). */
const longestPage = 65_307
/** No page lasts so long, seconds. */
const longPage = 10

interface Clock {
  readonly samplesPerSecond: number
  /** Samples that are decoded before the first that is heard (RFC 7845, section 4.2). */
  readonly before: number
}

/** How the positions of a stream count, by the packet that begins it. */
const clockOf = (packet: Buffer): Clock | undefined => {
  const begins = packet.toString('latin1', 0, 8)
  if (begins === 'OpusHead' && packet.length >= 12) return { samplesPerSecond: 48_000, before: packet.readUInt16LE(10) }
  if (begins.startsWith('\x01vorbis') && packet.length >= 16)
    return { samplesPerSecond: packet.readUInt32LE(12), before: 0 }
  if (begins.startsWith('\x7fFLAC') && packet.length >= 30)
    return { samplesPerSecond: packet.readUIntBE(27, 3) >> 4, before: 0 }
  return undefined
}

/** A position that says something: headers have 0, and a page on which no packet ends has none. */
const positionAt = (bytes: Buffer, at: number): number => {
  const position = at + 14 <= bytes.length ? bytes.readBigInt64LE(at + 6) : 0n
  return position > 0n ? Number(position) : 0
}

/**
 * From the first position to the last. Pages say where they end: what a piece of a longer recording lacks at its beginning is
 * less than such a page.
 */
const lengthOf = async (
  { read, sizeBytes }: Recording,
  { samplesPerSecond, before }: Clock,
): Promise<number | null> => {
  const positions = (bytes: Buffer): number[] => {
    const found: number[] = []
    for (let at = bytes.indexOf('OggS'); at >= 0; at = bytes.indexOf('OggS', at + 4)) {
      const position = bytes[at + 4] === 0 ? positionAt(bytes, at) : 0
      if (position > 0) found.push(position)
    }
    return found
  }
  const first = positions(await read(0, 2 * longestPage))[0] ?? 0
  const from = Math.max(0, sizeBytes - longestPage)
  const last = positions(await read(from, sizeBytes - from)).at(-1) ?? 0
  const begins = first > longPage * samplesPerSecond ? first : before
  const durationMs = Math.round(((last - begins) / samplesPerSecond) * 1000)
  return Number.isSafeInteger(durationMs) && durationMs > 0 ? durationMs : null
}

/** Streams by the packets that begin them (RFC 3533), and how long one is that is alone. */
export const readOgg = async (recording: Recording): Promise<Media> => {
  const bytes = await recording.read(0, 65_536)
  const tracks: Track[] = []
  const clocks: (Clock | undefined)[] = []
  for (let at = 0; at + 27 < bytes.length && bytes.toString('latin1', at, at + 4) === 'OggS'; ) {
    const segments = bytes[at + 26]!
    const sizes = bytes.subarray(at + 27, at + 27 + segments)
    const packet = at + 27 + segments
    if ((bytes[at + 5]! & firstPage) === 0) break
    const begins = bytes.toString('latin1', packet, packet + 8)
    const found = sounds.find(([text]) => begins.startsWith(text))
    if (found) tracks.push({ kind: 'sound', codec: found[1] })
    clocks.push(clockOf(bytes.subarray(packet)))
    at = packet + sizes.reduce((sum, size) => sum + size, 0)
  }
  const clock = clocks.length === 1 ? clocks[0] : undefined
  const isKnown = clock !== undefined && clock.samplesPerSecond > 0
  return { ...unknownMedia, tracks, durationMs: isKnown ? await lengthOf(recording, clock) : null }
}
