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

/** One byte for each 100 ms that began, so many at most; undefined where nothing can be decoded. */
export const levelsOfSound = async (
  sound: FilmSound,
  most: number,
  options: SoundDecoderOptions,
): Promise<Buffer | undefined> => {
  const source = await streamSound({ sound, skip: 0, samples: most * levelSamples }, options)
  if (!source) return undefined
  try {
    const levels: number[] = []
    while (levels.length < most) {
      const pcm = await source.read(levelSamples)
      if (pcm.length >= 2) levels.push(levelOf(pcm))
      if (pcm.length < levelSamples * 2) break
    }
    return levels.length > 0 ? Buffer.from(levels) : undefined
  } finally {
    await source.close()
  }
}
