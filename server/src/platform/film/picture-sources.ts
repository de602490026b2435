import { ClipFrames, type ClipOptions } from './clip-frames.ts'
import type { FilmItem } from './film.types.ts'
import type { Picture } from './pictures.ts'
import { decodeStill } from './still-pictures.ts'

/** What an item has to show in a frame of the film. */
export interface Seen {
  /** The same object as long as it looks the same. */
  readonly picture: Picture
  /** The moment that it shows, milliseconds after the film's beginning. */
  readonly shotMs: number
  /** `ended`: the last picture of a recording that has no more; `broken`: of one that broke off. */
  readonly state: 'current' | 'ended' | 'broken'
}

/** An item that is open. */
export interface PictureSource {
  /** Undefined where it has no picture at all. Frames come in order. Rejects when its bytes cannot be read. */
  at(frame: number): Promise<Seen | undefined>
  /** Whether it could not be decoded, as far as it was asked. */
  readonly isBroken: boolean
  /** Whether a part of it could not be decoded, as far as it was asked, though it goes on. */
  readonly isSpoiled: boolean
  /** It is broken for no reason of its own: its decoder was ended from outside. */
  readonly wasKilled: boolean
  close(): Promise<void>
}

const frameMs = (index: number, framesPerSecond: number): number => (index * 1000) / framesPerSecond

class StillSource implements PictureSource {
  readonly #item: FilmItem
  readonly #picture: Promise<Picture | undefined>
  isBroken = false
  readonly isSpoiled = false
  readonly wasKilled = false

  constructor(item: FilmItem, options: ClipOptions) {
    this.#item = item
    this.#picture = decodeStill(item, options)
    // Made ahead of its time, so a failure waits until somebody asks.
    this.#picture.catch(() => undefined)
  }

  async at(): Promise<Seen | undefined> {
    const picture = await this.#picture
    this.isBroken = picture === undefined
    return picture && { picture, shotMs: this.#item.beginsMs, state: 'current' }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

class ClipSource implements PictureSource {
  readonly #item: FilmItem
  readonly #options: ClipOptions
  #first: number
  #frames: ClipFrames
  #last: Seen | undefined
  #isOver = false
  isBroken = false
  isSpoiled = false
  wasKilled = false

  constructor(item: FilmItem, options: ClipOptions, from: number) {
    this.#item = item
    this.#options = options
    this.#first = this.#indexAt(from)
    this.#frames = new ClipFrames(item, options, this.#first)
  }

  #indexAt(frame: number): number {
    const { framesPerSecond } = this.#options
    return Math.max(0, Math.floor((frame * 1000 - this.#item.beginsMs * framesPerSecond) / 1000))
  }

  async at(frame: number): Promise<Seen | undefined> {
    if (this.#isOver) return this.#last
    const index = this.#indexAt(frame)
    // Wanted before the moment for which it was opened ahead.
    if (index < this.#first) await this.#reopen(index)
    let got = await this.#frames.frame(index)
    if (!got && this.#first > 0 && (await this.#frames.endedWell())) {
      // It ended before the moment from which it was opened: what it showed last is still to be found.
      await this.#reopen(0)
      got = await this.#frames.frame(index)
    }
    this.isSpoiled ||= await this.#frames.isSpoiled()
    if (!got) return this.#over(undefined)
    const { framesPerSecond } = this.#options
    const shotMs = this.#item.beginsMs + frameMs(got.index, framesPerSecond)
    const seen: Seen = { picture: got.picture, shotMs, state: 'current' }
    return got.index === index ? seen : this.#over(seen)
  }

  async #reopen(first: number): Promise<void> {
    await this.#frames.close()
    this.#first = first
    this.#frames = new ClipFrames(this.#item, this.#options, first)
  }

  async #over(last: Seen | undefined): Promise<Seen | undefined> {
    const isWhole = last !== undefined && (await this.#frames.endedWell())
    this.isSpoiled ||= await this.#frames.isSpoiled()
    this.#isOver = true
    this.isBroken = !isWhole
    this.wasKilled = !isWhole && (await this.#frames.wasKilled())
    this.#last = last && { ...last, state: isWhole ? 'ended' : 'broken' }
    return this.#last
  }

  close(): Promise<void> {
    return this.#frames.close()
  }
}

/** Opens an item that is to be shown from a frame of the film on. */
export const openPictures = (item: FilmItem, options: ClipOptions, from: number): PictureSource =>
  item.kind === 'clip' ? new ClipSource(item, options, from) : new StillSource(item, options)
