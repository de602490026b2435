import type { FilmSound } from './film.types.ts'
import { splitSpans } from './film-spans.ts'
import { soundRate } from './matroska-stream.ts'
import {
  decodeSounds,
  type SoundDecoderOptions,
  type SoundPart,
  type SoundSource,
  streamSound,
} from './sound-decoder.ts'
import { silencesIn } from './sound-mix.ts'

/** Longer parts are decoded as they are read; the others in groups of at most so many, and so long. */
const longestInMemory = soundRate * 30
const groupSamples = soundRate * 60
const groupSize = 8
/** How much of the film ahead a decoder is begun, and how many may have begun. */
const ahead = soundRate * 15
const mostDecoders = 2

/** What a sound told of its length and its last sample seldom agree; what is missing beyond this is said. */
const endTolerance = soundRate

export interface SoundTrackOptions extends SoundDecoderOptions {
  readonly sounds: readonly FilmSound[]
  /** Called once for a sound that could not be decoded, or not to its end. */
  readonly onUndecoded: (sound: FilmSound, wasKilled: boolean) => void
}

/** A stretch of one sound in its place, in samples of the film. */
export interface Placed extends SoundPart {
  readonly start: number
  readonly end: number
  /** What else there is for this time, should this one have nothing. */
  readonly beneath: readonly FilmSound[]
}
interface Playing extends Placed {
  readonly source: Promise<SoundSource | undefined>
  /** The same for what one decoder gives. */
  readonly decoder: object
  isOver: boolean
}

const sampleAt = (ms: number): number => Math.round((ms * soundRate) / 1000)

const placedOf = (stack: readonly FilmSound[], start: number, end: number): Placed[] => {
  const sound = stack.at(-1)
  if (!sound) return []
  const skip = Math.max(0, start - sampleAt(sound.beginsMs))
  return [{ sound, start, end, skip, samples: end - start, beneath: stack.slice(0, -1) }]
}

/** Where each of some sounds in layers is heard between two samples: one at a time, the last of the list first. */
export const placeSounds = (sounds: readonly FilmSound[], from: number, until: number): Placed[] => {
  const spans = sounds.map((value) => ({
    from: sampleAt(value.atMs) - from,
    until: sampleAt(value.untilMs) - from,
    value,
  }))
  const placed: Placed[] = []
  for (const part of splitSpans(spans, until - from)) {
    const before = placed.at(-1)
    const [start, end] = [from + part.from, from + part.until]
    // What it told and what it holds beyond that is one sound.
    if (before && before.end === start && before.sound.id === part.value.at(-1)?.id) {
      const beneath = [...new Set([...before.beneath, ...part.value.slice(0, -1)])]
      placed[placed.length - 1] = { ...before, end, samples: end - before.start, beneath }
    } else placed.push(...placedOf(part.value, start, end))
  }
  return placed
}

/** The film's sound, piece by piece; silence where there is none. */
export class SoundTrack {
  readonly #options: SoundTrackOptions
  readonly #waiting: Placed[]
  readonly #told = new Set<string>()
  #playing: Playing[] = []
  #undecoded: { readonly from: number; readonly until: number }[] = []
  /** Of what plays now or soon. */
  #decoders = new Set<object>()
  #position = 0

  /** `samples`: how long the film is. */
  constructor(options: SoundTrackOptions, samples: number) {
    this.#options = options
    this.#waiting = placeSounds(options.sounds, 0, samples).reverse()
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
    this.#undecoded = this.#undecoded.filter((span) => span.until > from)
    this.#beginAhead()
    return piece
  }

  /** Whether a sound that could not be decoded would be heard at a moment of the piece read last. Milliseconds. */
  isUndecodedAt(ms: number): boolean {
    const sample = sampleAt(ms)
    return this.#undecoded.some(({ from, until }) => from <= sample && sample < until)
  }

  async #closeUntil(sample: number): Promise<void> {
    const isOver = ({ end, isOver: ended }: Playing) => ended || end <= sample
    const over = this.#playing.filter(isOver)
    this.#playing = this.#playing.filter((playing) => !isOver(playing))
    this.#decoders = new Set(this.#playing.map(({ decoder }) => decoder))
    for (const { sound, source } of over) {
      const opened = await source
      await opened?.close()
      // What it said last may come behind its last sample.
      if (opened && (opened.isShort || opened.isSpoiled())) this.#tell(sound)
    }
  }

  async close(): Promise<void> {
    const sources = await Promise.allSettled(this.#playing.map(({ source }) => source))
    for (const source of sources) if (source.status === 'fulfilled') await source.value?.close()
  }

  /** Begins to decode the next sound, and with it those that fit into its group. */
  #begin(): void {
    const first = this.#waiting.pop()
    if (!first) return
    if (first.samples > longestInMemory) {
      const source = streamSound(first, this.#options)
      this.#play(first, source, source)
      return
    }
    const group = [first]
    let total = first.samples
    for (let next = this.#waiting.at(-1); next && group.length < groupSize; next = this.#waiting.at(-1)) {
      total += next.samples
      if (total > groupSamples || next.samples > longestInMemory) break
      if (next.start - first.start > groupSamples * 2) break
      group.push(next)
      this.#waiting.pop()
    }
    const decoded = decodeSounds(group, this.#options)
    for (const [index, placed] of group.entries()) {
      this.#play(
        placed,
        decoded.then((all) => all[index]),
        decoded,
      )
    }
  }

  #play(placed: Placed, source: Promise<SoundSource | undefined>, decoder: object): void {
    // Begun ahead of its time, so a failure waits until its turn.
    source.catch(() => undefined)
    this.#decoders.add(decoder)
    this.#playing.push({ ...placed, source, decoder, isOver: false })
  }

  /** Puts in what is heard of a sound between two samples. */
  async #mix(playing: Playing, piece: Buffer, span: { from: number; until: number }): Promise<void> {
    if (playing.isOver) return
    const source = await playing.source
    const [from, until] = [Math.max(playing.start, span.from), Math.min(playing.end, span.until)]
    if (from >= until) return
    const heard = (await source?.read(until - from)) ?? Buffer.alloc(0)
    heard.copy(piece, (from - span.from) * 2)
    if (source?.isSpoiled()) this.#markHoles(playing.sound, heard, from)
    if (heard.length < (until - from) * 2) await this.#end(playing, source, from + heard.length / 2)
  }

  /** Nobody can say where in a spoiled recording its holes are, but they are silent. `at`: where it is heard. */
  #markHoles(sound: FilmSound, heard: Buffer, at: number): void {
    this.#tell(sound)
    for (const { from, until } of silencesIn(heard)) this.#undecoded.push({ from: at + from, until: at + until })
  }

  #tell(sound: FilmSound, wasKilled = false): void {
    if (!this.#told.has(sound.id)) this.#options.onUndecoded(sound, wasKilled)
    this.#told.add(sound.id)
  }

  /** It has no more: what lies beneath goes on, and what broke off is told of. */
  async #end(playing: Playing, source: SoundSource | undefined, at: number): Promise<void> {
    playing.isOver = true
    const { sound, end, beneath } = playing
    const rest = placeSounds(
      beneath.filter(({ id }) => id !== sound.id),
      at,
      end,
    )
    this.#waiting.push(...rest.reverse())
    const isNothing = at === playing.start && playing.skip === 0
    const toldEnd = Math.min(end, sampleAt(sound.toldUntilMs))
    const isAsTold = toldEnd - at <= endTolerance
    if (source && !isNothing && isAsTold && !(await source.isBroken())) return
    this.#tell(sound, (await source?.wasKilled()) ?? false)
    if (rest.length === 0) this.#undecoded.push({ from: at, until: toldEnd })
  }
}
