import { areWholeFrames } from './flac-frames.ts'
import type { RangedBytes } from './item-bytes.ts'
import { numberOfFormat, wavChunks } from './wav-chunks.ts'

export type Loss = 'end' | 'inside'

/** The longest page of Ogg (RFC 3533, section 6). */
const longestPage = 65_307
const endsStream = 4
/** Letters, digits and blanks, as chunks of RIFF are named. */
const isName = /^[\x20-\x7e]{4}$/

/** Registered numbers (RFC 2361). */
const flac = 61_868
const ofWholeSamples = new Set([1, 3, 6, 7])

const pieceBytes = 1024 * 1024
async function* piecesOf({ read }: RangedBytes, at: number, length: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < length; from += pieceBytes) yield await read(at + from, Math.min(pieceBytes, length - from))
}

/** Whether what is behind the sound are other chunks, rather than more sound than was told. */
const areChunks = async ({ read, sizeBytes }: RangedBytes, from: number): Promise<boolean> => {
  for (let at = from, chunks = 0; at + 8 <= sizeBytes && chunks < 64; chunks++) {
    const head = await read(at, 8)
    if (!isName.test(head.toString('latin1', 0, 4))) return false
    const size = head.readUInt32LE(4)
    at += 8 + size + (size % 2)
  }
  return true
}

const lossOfWav = async (recording: RangedBytes): Promise<Loss | undefined> => {
  const { format, data } = await wavChunks(recording)
  if (!format || !data) return undefined
  const { at, told, there } = data
  const number = numberOfFormat(format)
  if (number === flac && !(await areWholeFrames(piecesOf(recording, at, there)))) return 'inside'
  if (there < told || !(await areChunks(recording, at + told + (told % 2)))) return 'end'
  const block = format.readUInt16LE(12)
  return ofWholeSamples.has(number) && block > 0 && there % block > 0 ? 'end' : undefined
}

/** Whether the last page is not the last of its stream: recorders that were not ended themselves leave such files. */
const isOggCut = async ({ read, sizeBytes }: RangedBytes): Promise<boolean> => {
  const from = Math.max(0, sizeBytes - longestPage)
  const tail = await read(from, sizeBytes - from)
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at > 0 ? tail.lastIndexOf('OggS', at - 1) : -1) {
    const segments = tail[at + 26]
    if (tail[at + 4] !== 0 || segments === undefined) continue
    const sizes = tail.subarray(at + 27, at + 27 + segments)
    const isWhole = at + 27 + segments + sizes.reduce((sum, size) => sum + size, 0) <= tail.length
    return !isWhole || (tail[at + 5]! & endsStream) === 0
  }
  return true
}

/**
 * What a recording has lost of which decoders say nothing: bytes that its container tells of and that are not there, or more
 * of them than it tells (`end`); frames of FLAC in a WAVE file, where no container guards them (`inside`). Samples without a
 * code, G.711 and ADPCM carry no sums: other bytes of the same number are another sound to everybody, and remain so.
 */
export const unsaidLoss = async (recording: RangedBytes): Promise<Loss | undefined> => {
  const begins = (await recording.read(0, 4)).toString('latin1')
  if (begins === 'RIFF') return lossOfWav(recording)
  return begins === 'OggS' && (await isOggCut(recording)) ? 'end' : undefined
}
