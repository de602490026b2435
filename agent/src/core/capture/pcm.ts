/** Sound as the lanes record it: 16-bit little-endian mono, 16 kHz (what speech recognition and Opus speech want). */
export const sampleRate = 16_000
export const bytesPerMs = (sampleRate * 2) / 1000
/** The level given for digital silence, below anything 16 bits can hold. */
export const silenceDb = -120

const fullScale = 32_768
/** A level of a recording is of so much time. */
const levelMs = 100
/** The lowest sound level that counts as sound; anything below it counts as silence. dBFS. */
const quietestDb = -90

export interface SoundLevel {
  levelDb: number
  peakDb: number
}

/** An amplitude (1 is full scale) in dBFS, to a tenth. */
export const decibels = (amplitude: number): number =>
  amplitude <= 0 ? silenceDb : Math.max(silenceDb, Math.round(20 * Math.log10(amplitude) * 10) / 10)

/** The samples of little-endian PCM; a copy where they do not begin at a whole one of the memory behind them. */
const samplesOf = (pcm: Buffer): Int16Array => {
  const aligned = pcm.byteOffset % 2 === 0 ? pcm : Uint8Array.from(pcm)
  return new Int16Array(aligned.buffer, aligned.byteOffset, Math.floor(pcm.length / 2))
}

/** Energy (RMS) and peak in dBFS. */
export const soundLevel = (pcm: Buffer): SoundLevel => {
  const samples = samplesOf(pcm)
  let squares = 0
  let peak = 0
  for (const sample of samples) {
    squares += sample * sample
    peak = Math.max(peak, Math.abs(sample))
  }
  const energy = samples.length === 0 ? 0 : Math.sqrt(squares / samples.length)
  return { levelDb: decibels(energy / fullScale), peakDb: decibels(peak / fullScale) }
}

/** An amplitude (1 is full scale) as one byte: 0 is −90 dBFS or less, 255 is 0 dBFS, evenly between. */
export const levelByte = (amplitude: number): number => {
  const share = 1 - decibels(amplitude) / quietestDb
  return Math.round(Math.min(1, Math.max(0, share)) * 255)
}

/** One byte for each 100 ms that began; what is left at the end counts as one. */
export const soundLevels = (pcm: Buffer): Buffer => {
  const bytes = levelMs * bytesPerMs
  return Buffer.from(
    Array.from({ length: Math.ceil(pcm.length / bytes) }, (_, n) => {
      const { levelDb } = soundLevel(pcm.subarray(n * bytes, (n + 1) * bytes))
      return levelByte(10 ** (levelDb / 20))
    }),
  )
}

export interface PcmSegment {
  pcm: Buffer
  capturedAt: number
  monotonicMs: number
  durationMs: number
}

/** Sound that by its arrival begins so near to the end of the segment before it begins there: it is one stream. Ms. */
const seamMs = 1000

/** Cuts a stream of PCM into segments of a fixed length; what is left comes out with `flush`. */
export class PcmSegmenter {
  readonly #segmentBytes: number
  #parts: Buffer[] = []
  #bytes = 0
  #startedAt = 0
  #startedMono = 0
  #endedAt = Number.NEGATIVE_INFINITY
  #endedMono = 0

  constructor(segmentSeconds: number) {
    this.#segmentBytes = Math.round(segmentSeconds * sampleRate) * 2
  }

  /** Takes bytes whose last sample arrived at `at` (epoch ms) / `monotonicMs`; gives the segments they complete. */
  push(bytes: Buffer, at: number, monotonicMs: number): PcmSegment[] {
    const done: PcmSegment[] = []
    let rest = bytes
    while (rest.length > 0) {
      if (this.#bytes === 0) this.#begin(rest.length / bytesPerMs, at, monotonicMs)
      const taken = rest.subarray(0, this.#segmentBytes - this.#bytes)
      this.#parts.push(taken)
      this.#bytes += taken.length
      rest = rest.subarray(taken.length)
      if (this.#bytes < this.#segmentBytes) break
      const segment = this.flush()
      if (segment) done.push(segment)
    }
    return done
  }

  /** Bursts arrive late by more or less; the samples follow each other without a hole. */
  #begin(ms: number, at: number, monotonicMs: number): void {
    const startedAt = Math.round(at - ms)
    const follows = Math.abs(startedAt - this.#endedAt) < seamMs
    this.#startedAt = follows ? this.#endedAt : startedAt
    this.#startedMono = follows ? this.#endedMono : monotonicMs - ms
  }

  flush(): PcmSegment | undefined {
    // A trailing half sample cannot be heard.
    const length = this.#bytes - (this.#bytes % 2)
    if (length === 0) return undefined
    const pcm = Buffer.concat(this.#parts).subarray(0, length)
    this.#parts = []
    this.#bytes = 0
    const [capturedAt, monotonicMs, durationMs] = [this.#startedAt, this.#startedMono, Math.round(length / bytesPerMs)]
    this.#endedAt = capturedAt + durationMs
    this.#endedMono = monotonicMs + durationMs
    return { pcm, capturedAt, monotonicMs, durationMs }
  }
}
