import { codecOfEntry } from './mp4.ts'
import { codecOfWave } from './wav.ts'

/** Four letters of Video for Windows (the registry of AVI files), in capitals. */
const ofWindows: Readonly<Record<string, string>> = {
  H264: 'h264',
  X264: 'h264',
  AVC1: 'h264',
  DAVC: 'h264',
  HEVC: 'hevc',
  H265: 'hevc',
  HVC1: 'hevc',
  HEV1: 'hevc',
  VP80: 'vp8',
  VP90: 'vp9',
  AV01: 'av1',
  MJPG: 'mjpeg',
  JPEG: 'mjpeg',
  XVID: 'mpeg4',
  DIVX: 'mpeg4',
  DX50: 'mpeg4',
  FMP4: 'mpeg4',
  MP4V: 'mpeg4',
}

const letters = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)
const isReadable = (text: string): boolean => /^[\x20-\x7e]{4}$/.test(text)

/** BITMAPINFOHEADER: the letters are behind a size, two sides and two short numbers. */
const windowsPicture = (own: Buffer): string | undefined => {
  if (own.length < 40) return undefined
  const told = letters(own, 16)
  return isReadable(told) ? (ofWindows[told.toUpperCase()] ?? told) : undefined
}

/** A sample entry as QuickTime has it: a length and the letters, or the letters alone. */
const sampleEntry = (own: Buffer): string | undefined => {
  for (const at of own.length < 8 ? [0] : [4, 0]) {
    const told = letters(own, at)
    if (isReadable(told)) return codecOfEntry(told, own.subarray(at + 4))
  }
  return undefined
}

const foreign: Readonly<Record<string, (own: Buffer) => string | undefined>> = {
  'A_MS/ACM': (own) => (own.length < 14 ? undefined : codecOfWave(own)),
  'V_MS/VFW/FOURCC': windowsPicture,
  V_QUICKTIME: sampleEntry,
  A_QUICKTIME: sampleEntry,
}

/**
 * For names of Matroska under which anything may lie, as another container names it in what is private to the codec: how
 * that is read. It answers undefined where nothing there can be read, which no decoder knows then either.
 */
export const foreignCodec = (name: string): ((own: Buffer) => string | undefined) | undefined =>
  Object.hasOwn(foreign, name) ? foreign[name] : undefined
