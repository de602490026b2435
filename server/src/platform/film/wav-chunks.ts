import type { RangedBytes } from './item-bytes.ts'

export interface WavChunks {
  /** What is in `fmt `, at most its first 40 bytes. */
  readonly format: Buffer | undefined
  /** Where the sound begins, how many bytes of it are told, and how many there are. */
  readonly data: { readonly at: number; readonly told: number; readonly there: number } | undefined
}

/** A length that was never written, or one that no file of ours has: it was written as it was recorded. */
const isUntold = (size: number): boolean => size === 0 || size > 0x7f00_0000

/** Chunks of RIFF, of which the format comes before the sound. */
export const wavChunks = async ({ read, sizeBytes }: RangedBytes): Promise<WavChunks> => {
  let format: Buffer | undefined
  for (let at = 12, chunks = 0; at + 8 <= sizeBytes && chunks < 64; chunks++) {
    const head = await read(at, 8)
    if (head.length < 8) break
    const size = head.readUInt32LE(4)
    const name = head.toString('latin1', 0, 4)
    if (name === 'fmt ') {
      format = await read(at + 8, Math.min(size, 40))
      if (format.length < 14) return { format: undefined, data: undefined }
    }
    if (name === 'data') {
      const left = sizeBytes - at - 8
      const told = isUntold(size) ? left : size
      return { format, data: { at: at + 8, told, there: Math.min(told, left) } }
    }
    at += 8 + size + (size % 2)
  }
  return { format, data: undefined }
}

const extensible = 0xfffe

/** The registered number of a format (RFC 2361), also where it is written apart. */
export const numberOfFormat = (format: Buffer): number => {
  const told = format.readUInt16LE(0)
  return told === extensible && format.length >= 26 ? format.readUInt16LE(24) : told
}
