import type { FilmItem, FilmSound } from './film.types.ts'

/** Where a film's plain bytes come from. */
export type ByteSource = Pick<FilmItem | FilmSound, 'contentType' | 'sizeBytes' | 'read'>

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)
const mp4Beginnings = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

/**
 * Whether bytes begin like a container that holds its media itself: MP4 or QuickTime, Matroska or WebM, Ogg, WAVE. What
 * begins otherwise is never given to ffmpeg: a play list would make it open whatever the list names.
 */
export const isSelfContained = (head: Buffer): boolean =>
  mp4Beginnings.has(ascii(head, 4, 8)) ||
  head.subarray(0, 4).equals(Buffer.from([0x1a, 0x45, 0xdf, 0xa3])) ||
  ascii(head, 0, 4) === 'OggS' ||
  (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WAVE')

/** The first bytes of a source, at most `length`. */
export const readHead = async (source: ByteSource, length: number): Promise<Buffer> => {
  const pieces: Uint8Array[] = []
  for await (const piece of source.read({ start: 0, end: Math.min(length, source.sizeBytes) })) pieces.push(piece)
  return Buffer.concat(pieces).subarray(0, length)
}

/** Bytes of which any stretch can be read; shorter where they end. */
export interface RangedBytes {
  readonly read: (start: number, length: number) => Promise<Buffer>
  readonly sizeBytes: number
}

/** The same for whoever reads containers. */
export const rangedBytes = (source: ByteSource): RangedBytes => ({
  sizeBytes: source.sizeBytes,
  read: async (start, length) => {
    const end = Math.min(start + length, source.sizeBytes)
    const pieces: Uint8Array[] = []
    if (start < end) for await (const piece of source.read({ start, end })) pieces.push(piece)
    return Buffer.concat(pieces)
  },
})
