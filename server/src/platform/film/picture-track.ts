import type { ClipOptions } from './clip-frames.ts'
import type { FilmItem } from './film.types.ts'
import { type CardStyle, drawCard, undecodedText } from './film-cards.ts'
import type { FrameSpan, Layers } from './film-spans.ts'
import { openPictures, type PictureSource, type Seen } from './picture-sources.ts'
import type { Picture } from './pictures.ts'

export interface PictureTrackOptions extends ClipOptions {
  /** Every frame of the film is in one of them. */
  readonly spans: readonly FrameSpan<Layers>[]
  readonly card: Pick<CardStyle, 'textSize' | 'hasEdge'>
  /** Called once for an item that could not be decoded, or not to its end. */
  readonly onUndecoded: (item: FilmItem, wasKilled: boolean) => void
}

/** What a place shows in a frame. */
export interface PlaceFrame {
  /** The same object as long as it looks the same. */
  readonly picture: Picture
  /** Of what is shown; empty for a card. */
  readonly label: string
  /** Something that could not be decoded would have been shown here. */
  readonly isUndecoded: boolean
  /** It is of a recording that had a part before this which could not be decoded. */
  readonly isSpoiled: boolean
}

/** A recording's last frame stands for no longer than this when nothing says that it lasts; told end and last frame seldom agree. */
const heldMs = 1000

/** One place of the film, moved through its spans frame by frame. */
export class PictureTrack {
  readonly #options: PictureTrackOptions
  readonly #cards = new Map<string, Promise<Picture>>()
  readonly #told = new Set<string>()
  /** By the item's id: what it told and what it holds beyond that is one recording. */
  readonly #open = new Map<string, PictureSource>()
  #span = -1

  constructor(options: PictureTrackOptions) {
    this.#options = options
  }

  /** Of that frame. Frames come in order. Rejects when the bytes of an item cannot be read. */
  async at(frame: number): Promise<PlaceFrame> {
    const { spans } = this.#options
    const before = this.#span
    while (this.#span < 0 || frame >= (spans[this.#span]?.until ?? Number.POSITIVE_INFINITY)) this.#span += 1
    if (this.#span !== before) await this.#enter(frame)
    const { items, text } = spans[this.#span]?.value ?? { items: [], text: '' }
    const found = await this.#look(items, frame)
    const { seen, label, isUndecoded, isSpoiled } = found
    if (seen) return { picture: seen.picture, label, isUndecoded, isSpoiled }
    const picture = await this.#card(isUndecoded ? undecodedText : text)
    return { picture, label: '', isUndecoded, isSpoiled: false }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((source) => source.close()))
  }

  /** Keeps open what is on top now, begins what will be next, and closes the rest. */
  async #enter(frame: number): Promise<void> {
    const { spans } = this.#options
    const topOf = (span: number) => spans[span]?.value.items.at(-1)
    const now = topOf(this.#span)
    let ahead = this.#span + 1
    while (now && topOf(ahead)?.id === now.id) ahead += 1
    const next = topOf(ahead)
    for (const [id, source] of this.#open)
      if (id !== now?.id && id !== next?.id) {
        this.#open.delete(id)
        await source.close()
      }
    if (now) this.#source(now, frame)
    if (next) this.#source(next, spans[ahead]?.from ?? frame)
  }

  #source(item: FilmItem, from: number): PictureSource {
    const known = this.#open.get(item.id)
    if (known) return known
    const source = openPictures(item, this.#options, from)
    this.#open.set(item.id, source)
    return source
  }

  /**
   * From the top: the first layer with a picture of now. A recording that is over holds its last frame as long as it was
   * told to last, unless a layer beneath has seen something since; one that broke off hides nothing for long.
   */
  async #look(items: readonly FilmItem[], frame: number) {
    const nowMs = (frame * 1000) / this.#options.framesPerSecond
    let held: { readonly seen: Seen; readonly label: string; readonly isSpoiled: boolean } | undefined
    let isUndecoded = false
    for (const item of items.toReversed()) {
      const source = this.#source(item, frame)
      const seen = await source.at(frame)
      const { isBroken, isSpoiled } = source
      isUndecoded ||= isBroken
      if (isBroken || isSpoiled) this.#tell(item, source.wasKilled)
      if (!seen || (held && seen.shotMs <= held.seen.shotMs)) continue
      const label = item.label ?? ''
      if (seen.state === 'current') return { seen, label, isUndecoded, isSpoiled }
      const isHeld = nowMs - seen.shotMs <= heldMs || (seen.state === 'ended' && nowMs < item.toldUntilMs)
      if (isHeld) held ??= { seen, label, isSpoiled }
    }
    return { seen: held?.seen, label: held?.label ?? '', isUndecoded, isSpoiled: held?.isSpoiled ?? false }
  }

  #tell(item: FilmItem, wasKilled: boolean): void {
    if (this.#told.has(item.id)) return
    this.#told.add(item.id)
    this.#options.onUndecoded(item, wasKilled)
  }

  /** The same words come again and again, but a film may have many gaps. */
  #card(text: string): Promise<Picture> {
    const known = this.#cards.get(text)
    if (known) return known
    if (this.#cards.size >= 4) this.#cards.clear()
    const { width, height, card: style } = this.#options
    const card = drawCard(text, { width, height, ...style })
    this.#cards.set(text, card)
    return card
  }
}
