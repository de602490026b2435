import { DecoderKilled } from './decoder-killed.ts'
import type { FilmSound } from './film.types.ts'
import { soundRate } from './matroska-stream.ts'
import { type SoundDecoderOptions, streamSound } from './sound-decoder.ts'

/** A level is of so much time, milliseconds. */
const levelMs = 100
const levelSamples = (soundRate * levelMs) / 1000
const quietestDb = 90
const fullScale = 32_768

/** 0 is −90 dBFS or less, 255 is 0 dBFS, evenly between. */
const levelOf = (pcm: Buffer): number => {
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, Math.floor(pcm.length / 2))
  let squares = 0
  for (const sample of samples) squares += sample * sample
  const loudness = Math.sqrt(squares / Math.max(1, samples.length)) / fullScale
  const db = 20 * Math.log10(Math.max(loudness, 1e-9))
  return Math.round(Math.min(1, Math.max(0, 1 + db / quietestDb)) * 255)
}

export interface SoundLevels {
  /** One byte for each 100 ms that began. */
  readonly levels: Buffer
  /** False where a part of it could not be decoded: that has the level of silence. */
  readonly isWhole: boolean
}

/** So many at most; undefined where nothing can be decoded. Throws `DecoderKilled`. */
export const levelsOfSound = async (
  sound: FilmSound,
  most: number,
  options: SoundDecoderOptions,
): Promise<SoundLevels | undefined> => {
  const source = await streamSound({ sound, skip: 0, samples: most * levelSamples }, options)
  if (!source) return undefined
  try {
    const levels: number[] = []
    while (levels.length < most) {
      const pcm = await source.read(levelSamples)
      if (pcm.length >= 2) levels.push(levelOf(pcm))
      if (pcm.length < levelSamples * 2) break
    }
    const isCut = levels.length < most
    if (isCut && (await source.wasKilled())) throw new DecoderKilled()
    const isWhole = isCut ? !(await source.isBroken()) : !source.isShort && !source.isSpoiled()
    return levels.length > 0 ? { levels: Buffer.from(levels), isWhole } : undefined
  } finally {
    await source.close()
  }
}
