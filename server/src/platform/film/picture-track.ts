import { ClipFrames, type ClipOptions } from './clip-frames.ts'
import type { FilmItem } from './film.types.ts'
import { type CardStyle, drawCard, undecodedText } from './film-cards.ts'
import type { FrameSpan, Shown } from './film-spans.ts'
import type { Picture } from './pictures.ts'
import { decodeStill } from './still-pictures.ts'

export interface PictureTrackOptions extends ClipOptions {
  /** Every frame of the film is in one of them. */
  readonly spans: readonly FrameSpan<Shown>[]
  /** Said where a recording ended before its span did, and no gap says why. */
  readonly emptyText: string
  readonly card: Pick<CardStyle, 'textSize' | 'hasEdge'>
  /** Called once for an item that was shown as a card instead, or broke off. */
  readonly onUndecoded: (item: FilmItem) => void
}

/** What a span shows; its pictures are made as late as one span ahead. */
interface Source {
  /** The picture of a frame of the film: the same object as long as it looks the same. */
  at(frame: number): Promise<Picture>
  close(): Promise<void>
}

/** One of the film's two pictures, moved through its spans frame by frame. */
export class PictureTrack {
  readonly #options: PictureTrackOptions
  readonly #cards = new Map<string, Promise<Picture>>()
  #span = 0
  #current: Source
  #ahead: Source | undefined

  constructor(options: PictureTrackOptions) {
    this.#options = options
    this.#current = this.#open(0)
    this.#ahead = this.#open(1)
  }

  /** The picture of that frame. Frames come in order. Rejects when the bytes of an item cannot be read. */
  async at(frame: number): Promise<Picture> {
    const { spans } = this.#options
    while (frame >= (spans[this.#span]?.until ?? Number.POSITIVE_INFINITY) && this.#ahead) {
      await this.#current.close()
      this.#current = this.#ahead
      this.#span += 1
      this.#ahead = this.#open(this.#span + 1)
    }
    return this.#current.at(frame)
  }

  async close(): Promise<void> {
    await Promise.all([this.#current.close(), this.#ahead?.close()])
  }

  #open(index: number): Source {
    const shown = this.#options.spans[index]?.value ?? { text: this.#options.emptyText }
    if ('text' in shown) return fixed(this.#card(shown.text))
    return shown.item.kind === 'clip' ? this.#clip(shown.item) : fixed(this.#still(shown.item))
  }

  async #still(item: FilmItem): Promise<Picture> {
    const picture = await decodeStill(item, this.#options)
    if (picture) return picture
    this.#options.onUndecoded(item)
    return this.#card(undecodedText)
  }

  #clip(item: FilmItem): Source {
    const { framesPerSecond, onUndecoded, emptyText } = this.#options
    const frames = new ClipFrames(item, this.#options)
    let instead: Promise<Picture> | undefined
    const end = async (): Promise<Picture> => {
      if (await frames.endedWell()) return this.#card(emptyText)
      onUndecoded(item)
      return this.#card(undecodedText)
    }
    return {
      at: async (frame) => {
        const index = Math.max(0, Math.floor((frame * 1000 - item.atMs * framesPerSecond) / 1000))
        const picture = instead ? undefined : await frames.frame(index)
        if (picture) return picture
        instead ??= end()
        return instead
      },
      close: () => frames.close(),
    }
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

const fixed = (picture: Promise<Picture>): Source => {
  // Made ahead of its time, so a failure waits until somebody asks.
  picture.catch(() => undefined)
  return { at: () => picture, close: () => Promise.resolve() }
}
