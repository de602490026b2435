import { invalid } from '@integrity/protocol'
import { pictureCodecs, soundCodecs } from '../film/media-codecs.ts'
import { isJoined } from './joined.ts'
import { readMatroska } from './matroska.ts'
import { type Media, type Recording, unknownMedia } from './media.types.ts'
import { readMp4 } from './mp4.ts'
import { readOgg } from './ogg.ts'
import { readWav } from './wav.ts'

const readers: Readonly<Record<string, (recording: Recording) => Promise<Media>>> = {
  'audio/webm': readMatroska,
  'video/webm': readMatroska,
  'video/x-matroska': readMatroska,
  'audio/ogg': readOgg,
  'audio/mp4': readMp4,
  'video/mp4': readMp4,
  'audio/wav': readWav,
}

const listed = { picture: pictureCodecs, sound: soundCodecs } as const

/**
 * Reads what the container of a recording says, and throws `invalid_request` where what it is sent for, its picture or its
 * sound, is in a codec that the film cannot decode, and where several recordings are joined in one. Nothing is decoded; what
 * the walk does not understand is taken.
 */
export const checkMedia = async (recording: Recording, contentType: string): Promise<Media> => {
  const media = (await readers[contentType]?.(recording)) ?? unknownMedia
  const kind = contentType.startsWith('video/') ? 'picture' : 'sound'
  const codecs: readonly string[] = listed[kind]
  const refused = media.tracks.find((track) => track.kind === kind && !codecs.includes(track.codec))
  if (refused) throw invalid('data', `its ${kind} is in a codec that cannot be decoded here: ${refused.codec}`)
  if (await isJoined(recording, contentType))
    throw invalid('data', 'it is several recordings joined into one file; send each for itself, with its own time')
  return media
}

/** The same of bytes that came whole. */
export const wholeRecording = (bytes: Buffer): Recording => ({
  sizeBytes: bytes.length,
  read: async (start, length) => bytes.subarray(start, start + length),
})
