import { numberOfFormat, wavChunks } from '../film/wav-chunks.ts'
import { type Media, type Recording, unknownMedia } from './media.types.ts'

const pulseCode: Readonly<Record<number, string>> = { 8: 'pcm_u8', 16: 'pcm_s16le', 24: 'pcm_s24le', 32: 'pcm_s32le' }
const floats: Readonly<Record<number, string>> = { 32: 'pcm_f32le', 64: 'pcm_f64le' }
/** Registered numbers of formats (RFC 2361). */
const others: Readonly<Record<number, string>> = {
  2: 'adpcm_ms',
  6: 'pcm_alaw',
  7: 'pcm_mulaw',
  17: 'adpcm_ima_wav',
  49: 'gsm_ms',
  80: 'mp2',
  85: 'mp3',
  255: 'aac',
  5632: 'aac',
  8192: 'ac3',
  61868: 'flac',
}
/** Of these a second has as many bytes as the format says; of others that is a mean. */
const isEven = (codec: string): boolean => codec.startsWith('pcm_')

/**
 * Whether what follows begins a frame of ADTS (ISO/IEC 14496-3, annex 1.A). Frames of AAC without such heads have no
 * beginning that anybody finds, and a WAVE file names none: decoders make noise or nothing of them.
 */
const isFramed = (data: Buffer): boolean => data.length >= 2 && (data.readUInt16BE(0) & 0xfff6) === 0xfff0
const unframed: Media['tracks'] = [{ kind: 'sound', codec: 'AAC without heads of frames' }]

/** The codec that the format of a WAVE file names; other containers hold it too. */
export const codecOfWave = (format: Buffer): string => {
  const number = numberOfFormat(format)
  const bits = format.length >= 16 ? format.readUInt16LE(14) : 0
  const known = number === 1 ? pulseCode[bits] : number === 3 ? floats[bits] : others[number]
  return known ?? `WAVE format ${number} of ${bits} bits`
}

/** What the format and the length of the sound say. */
export const readWav = async (recording: Recording): Promise<Media> => {
  const { format, data } = await wavChunks(recording)
  if (!format) return unknownMedia
  const codec = codecOfWave(format)
  if (data && codec === 'aac' && !isFramed(await recording.read(data.at, 2)))
    return { ...unknownMedia, tracks: unframed }
  const bytesPerSecond = format.readUInt32LE(8)
  const isKnown = data !== undefined && bytesPerSecond > 0 && isEven(codec)
  const durationMs = isKnown ? Math.round((data.there / bytesPerSecond) * 1000) : null
  return { ...unknownMedia, tracks: [{ kind: 'sound', codec }], durationMs }
}
