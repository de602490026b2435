import type { FilmSound } from './film.types.ts'
import { soundRate } from './matroska-stream.ts'
import { decodeSounds, type SoundDecoderOptions, type SoundSource, streamSound } from './sound-decoder.ts'

/** Up to here, an overlap is two clocks that do not quite agree: the later sound loses its beginning. */
const jitterSamples = soundRate / 4
/** Longer sounds are decoded as they are read; the others in groups of at most so many, and so long. */
const longestInMemoryMs = 30_000
const groupMs = 60_000
const groupSize = 8
/** How much of the film ahead a group is begun. */
const ahead = soundRate * 15

export interface SoundTrackOptions extends SoundDecoderOptions {
  readonly sounds: readonly FilmSound[]
  /** Called once for a sound that is silence instead. */
  readonly onUndecoded: (sound: FilmSound) => void
}

/** A sound in its place, all in samples of the film. */
interface Placed {
  readonly sound: FilmSound
  readonly start: number
  readonly end: number
  /** Left out at its beginning. */
  readonly skip: number
}
interface Playing extends Placed {
  readonly source: Promise<SoundSource | undefined>
  isBegun: boolean
}

const sampleAt = (ms: number): number => Math.round((ms * soundRate) / 1000)

/**
 * Where each sound is heard: from its own moment on, for as long as it says, so that no error adds up. A short overlap
 * is cut; in a long one two sources are heard at once.
 */
export const placeSounds = (sounds: readonly FilmSound[]): Placed[] => {
  const placed: Placed[] = []
  let covered = 0
  for (const sound of [...sounds].sort((a, b) => a.atMs - b.atMs)) {
    const begins = sampleAt(sound.atMs)
    const end = sampleAt(sound.atMs + sound.durationMs)
    const overlap = covered - begins
    const start = Math.max(0, overlap > 0 && overlap <= jitterSamples ? covered : begins)
    if (start < end) placed.push({ sound, start, end, skip: start - begins })
    covered = Math.max(covered, end)
  }
  return placed
}

/** The film's sound, piece by piece; silence where there is none. */
export class SoundTrack {
  readonly #options: SoundTrackOptions
  readonly #waiting: Placed[]
  #playing: Playing[] = []
  #position = 0

  constructor(options: SoundTrackOptions) {
    this.#options = options
    this.#waiting = placeSounds(options.sounds).reverse()
    this.#beginUntil(ahead)
  }

  #beginUntil(sample: number): void {
    for (let next = this.#waiting.at(-1); next && next.start < sample; next = this.#waiting.at(-1)) this.#begin()
  }

  /** The next samples, s16le mono. Rejects when the bytes of a sound cannot be read. */
  async next(samples: number): Promise<Buffer> {
    const piece = Buffer.alloc(samples * 2)
    const [from, until] = [this.#position, this.#position + samples]
    this.#beginUntil(until + ahead)
    for (const playing of this.#playing) {
      if (playing.start < until) await this.#mix(playing, piece, { from, until })
    }
    this.#position = until
    const over = this.#playing.filter(({ end }) => end <= until)
    this.#playing = this.#playing.filter(({ end }) => end > until)
    for (const { source } of over) await (await source)?.close()
    return piece
  }

  async close(): Promise<void> {
    const sources = await Promise.allSettled(this.#playing.map(({ source }) => source))
    for (const source of sources) if (source.status === 'fulfilled') await source.value?.close()
  }

  /** Begins to decode the next sound, and with it those that fit into its group. */
  #begin(): void {
    const first = this.#waiting.pop()
    if (!first) return
    if (first.sound.durationMs > longestInMemoryMs) {
      this.#play(first, streamSound(first.sound, this.#options))
      return
    }
    const group = [first]
    let total = first.sound.durationMs
    for (let next = this.#waiting.at(-1); next && group.length < groupSize; next = this.#waiting.at(-1)) {
      total += next.sound.durationMs
      if (total > groupMs || next.sound.durationMs > longestInMemoryMs) break
      if (next.start - first.start > sampleAt(groupMs) * 2) break
      group.push(next)
      this.#waiting.pop()
    }
    const decoded = decodeSounds(
      group.map(({ sound }) => sound),
      this.#options,
    )
    for (const [index, placed] of group.entries()) {
      this.#play(
        placed,
        decoded.then((all) => fromMemory(all[index])),
      )
    }
  }

  #play(placed: Placed, source: Promise<SoundSource | undefined>): void {
    // Begun ahead of its time, so a failure waits until its turn.
    source.catch(() => undefined)
    this.#playing.push({ ...placed, source, isBegun: false })
  }

  /** Adds what is heard of a sound between two samples. */
  async #mix(playing: Playing, piece: Buffer, span: { from: number; until: number }): Promise<void> {
    const source = await playing.source
    const [from, until] = [Math.max(playing.start, span.from), Math.min(playing.end, span.until)]
    if (!playing.isBegun) {
      playing.isBegun = true
      for (let left = playing.skip; left > 0; left -= soundRate) await source?.read(Math.min(left, soundRate))
    }
    const heard = await source?.read(until - from)
    if (from === playing.start && !heard?.length) this.#options.onUndecoded(playing.sound)
    if (heard) addSamples(piece, (from - span.from) * 2, heard)
  }
}

const samplesOf = (pcm: Buffer): Int16Array => new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length >> 1)

const addSamples = (piece: Buffer, offset: number, heard: Buffer): void => {
  const [target, source] = [samplesOf(piece.subarray(offset)), samplesOf(heard)]
  for (let at = 0; at < source.length; at++) {
    const sum = (target[at] as number) + (source[at] as number)
    target[at] = Math.max(-32_768, Math.min(32_767, sum))
  }
}

const fromMemory = (pcm: Buffer | undefined): SoundSource | undefined => {
  if (!pcm) return undefined
  let at = 0
  return {
    read: (samples) => {
      const piece = pcm.subarray(at, at + samples * 2)
      at += piece.length
      return Promise.resolve(piece)
    },
    close: () => Promise.resolve(),
  }
}
