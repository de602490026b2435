import type { PlayerEngine } from '../player/engine.ts'
import type { KeptItem } from '../player/item-store.ts'
import { itemsBetween, type Track } from '../player/timeline.ts'
import { holdUrl, releaseUrl } from './kept-urls.ts'

/** What is decoded before it is shown, milliseconds at a rate of one. */
const aheadMs = 2000
/** Of one source: a picture that is decoded takes four bytes for each point. */
const most = 3

/**
 * Decodes the stills that come next, so that each is shown in the turn in which its time has come: an address whose picture the
 * page already has is shown without another load.
 */
export class PicturesAhead {
  readonly #engine: PlayerEngine
  readonly #tracks: readonly Track[]
  readonly #decoded = new Map<KeptItem, HTMLImageElement>()

  constructor(engine: PlayerEngine) {
    this.#engine = engine
    this.#tracks = engine.timeline.tracks.filter(({ kind }) => kind === 'pictures')
  }

  follow = (): void => {
    const { atMs, rate } = this.#engine.playing()
    const next = new Set(this.#tracks.flatMap((track) => this.#next(track, atMs, atMs + aheadMs * Math.max(1, rate))))
    for (const kept of this.#decoded.keys()) if (!next.has(kept)) this.#letGo(kept)
    for (const kept of next) if (!this.#decoded.has(kept)) this.#decode(kept)
  }

  stop(): void {
    for (const kept of this.#decoded.keys()) this.#letGo(kept)
  }

  /** The one of this place is among them: it counts, and is begun at once where somebody goes to it. */
  #next(track: Track, fromMs: number, toMs: number): KeptItem[] {
    return itemsBetween(track, fromMs, toMs)
      .slice(0, most)
      .map(({ id }) => this.#engine.kept(id))
      .filter((kept) => kept !== undefined)
      .filter(({ bytes, contentType }) => bytes.length > 0 && contentType.startsWith('image/'))
  }

  #decode(kept: KeptItem): void {
    const image = new Image()
    image.src = holdUrl(kept)
    this.#decoded.set(kept, image)
    // What cannot be decoded is said where it is shown.
    void image.decode().catch(() => undefined)
  }

  #letGo(kept: KeptItem): void {
    this.#decoded.delete(kept)
    releaseUrl(kept)
  }
}
