import type { Config } from '../kernel/config.ts'
import { findFfmpeg } from '../platform/film/find-ffmpeg.ts'
import { type Finding, wordsOf } from './doctor.finding.ts'

const subject = 'ffmpeg'
const todo = 'apt install ffmpeg, or set FFMPEG_PATH to one with libx264 and AAC'

/** What films are rendered with; everything but films works without it. */
export const checkFfmpeg = async ({ ffmpegPath }: Config): Promise<Finding> => {
  try {
    const found = await findFfmpeg(ffmpegPath === undefined ? {} : { configured: ffmpegPath })
    if (found) return { subject, state: 'ok', reason: `${found.path}, ${found.version}` }
    return { subject, state: 'mend', reason: 'there is none: whoever asks for a film is refused', todo }
  } catch (error) {
    return { subject, state: 'mend', reason: wordsOf(error), todo }
  }
}
