import type { FilmSound } from './film.types.ts'
import { soundRate } from './matroska-stream.ts'
import { decodeSounds, type SoundDecoderOptions, type SoundSource, streamSound } from './sound-decoder.ts'

/** Up to here, an overlap is two clocks that do not quite agree: the later sound loses its beginning. */
const jitterSamples = soundRate / 4
/** Longer sounds are decoded as they are read; the others in groups of at most so many, and so long. */
const longestInMemoryMs = 30_000
const groupMs = 60_000
const groupSize = 8
/** How much of the film ahead a decoder is begun, and how many may have begun. */
const ahead = soundRate * 15
const mostDecoders = 2

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
  /** The same for what one decoder gives. */
  readonly decoder: object
  isBegun: boolean
}

const sampleAt = (ms: number): number => Math.round((ms * soundRate) / 1000)

/**
 * Where each sound is heard: from its own moment on, so that no error adds up, for as long as it says or until the next
 * one begins. One that overlaps the former a little loses its beginning instead. So one sound is decoded at a time,
 * whatever lengths were told.
 */
export const placeSounds = (sounds: readonly FilmSound[]): Placed[] => {
  const placed: Placed[] = []
  for (const sound of [...sounds].sort((a, b) => a.atMs - b.atMs)) {
    const begins = sampleAt(sound.atMs)
    const end = sampleAt(sound.atMs + sound.durationMs)
    const before = placed.at(-1)
    const overlap = before ? before.end - begins : 0
    const start = Math.max(0, overlap > 0 && overlap <= jitterSamples ? begins + overlap : begins)
    if (start >= end) continue
    if (before && before.end > start) placed[placed.length - 1] = { ...before, end: start }
    placed.push({ sound, start, end, skip: start - begins })
  }
  return placed.filter(({ start, end }) => start < end).map(withItsLength)
}

/** No more is decoded than is heard. */
const withItsLength = (placed: Placed): Placed => {
  const durationMs = ((placed.end - placed.start + placed.skip) * 1000) / soundRate
  return { ...placed, sound: { ...placed.sound, durationMs } }
}

/** The film's sound, piece by piece; silence where there is none. */
export class SoundTrack {
  readonly #options: SoundTrackOptions
  readonly #waiting: Placed[]
  #playing: Playing[] = []
  /** Of what plays now or soon. */
  #decoders = new Set<object>()
  #position = 0

  constructor(options: SoundTrackOptions) {
    this.#options = options
    this.#waiting = placeSounds(options.sounds).reverse()
    this.#beginAhead()
  }

  /** Begins what is heard soon, a few decoders at a time. */
  #beginAhead(): void {
    const soon = this.#position + ahead
    while (this.#decoders.size < mostDecoders && (this.#waiting.at(-1)?.start ?? soon) < soon) this.#begin()
  }

  /** The next samples, s16le mono. Rejects when the bytes of a sound cannot be read. */
  async next(samples: number): Promise<Buffer> {
    const piece = Buffer.alloc(samples * 2)
    const [from, until] = [this.#position, this.#position + samples]
    for (;;) {
      for (const playing of this.#playing) if (playing.start < until) await this.#mix(playing, piece, { from, until })
      await this.#closeUntil(until)
      // What is heard now and has not begun waits for nobody: the decoders before it are over.
      if ((this.#waiting.at(-1)?.start ?? until) >= until || this.#playing.some(({ start }) => start < until)) break
      this.#begin()
    }
    this.#position = until
    this.#beginAhead()
    return piece
  }

  async #closeUntil(sample: number): Promise<void> {
    const over = this.#playing.filter(({ end }) => end <= sample)
    this.#playing = this.#playing.filter(({ end }) => end > sample)
    this.#decoders = new Set(this.#playing.map(({ decoder }) => decoder))
    for (const { source } of over) await (await source)?.close()
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
      const source = streamSound(first.sound, this.#options)
      this.#play(first, source, source)
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
        decoded,
      )
    }
  }

  #play(placed: Placed, source: Promise<SoundSource | undefined>, decoder: object): void {
    // Begun ahead of its time, so a failure waits until its turn.
    source.catch(() => undefined)
    this.#decoders.add(decoder)
    this.#playing.push({ ...placed, source, decoder, isBegun: false })
  }

  /** Puts in what is heard of a sound between two samples. */
  async #mix(playing: Playing, piece: Buffer, span: { from: number; until: number }): Promise<void> {
    const source = await playing.source
    const [from, until] = [Math.max(playing.start, span.from), Math.min(playing.end, span.until)]
    if (!playing.isBegun) {
      playing.isBegun = true
      for (let left = playing.skip; left > 0; left -= soundRate) await source?.read(Math.min(left, soundRate))
    }
    const heard = await source?.read(until - from)
    if (from === playing.start && !heard?.length) this.#options.onUndecoded(playing.sound)
    heard?.copy(piece, (from - span.from) * 2)
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
