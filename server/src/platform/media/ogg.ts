import { type Media, type Recording, type Track, unknownMedia } from './media.types.ts'

const sounds: readonly (readonly [begins: string, codec: string])[] = [
  ['OpusHead', 'opus'],
  ['\x01vorbis', 'vorbis'],
  ['\x7fFLAC', 'flac'],
  ['Speex   ', 'speex'],
]
const firstPage = 2

/** Streams by the packets that begin them (RFC 3533). */
export const readOgg = async ({ read }: Recording): Promise<Media> => {
  const bytes = await read(0, 65_536)
  const tracks: Track[] = []
  for (let at = 0; at + 27 < bytes.length && bytes.toString('latin1', at, at + 4) === 'OggS'; ) {
    const segments = bytes[at + 26]!
    const sizes = bytes.subarray(at + 27, at + 27 + segments)
    const packet = at + 27 + segments
    if ((bytes[at + 5]! & firstPage) === 0) break
    const begins = bytes.toString('latin1', packet, packet + 8)
    const found = sounds.find(([text]) => begins.startsWith(text))
    if (found) tracks.push({ kind: 'sound', codec: found[1] })
    at = packet + sizes.reduce((sum, size) => sum + size, 0)
  }
  return { ...unknownMedia, tracks }
}
