import type { Readable } from 'node:stream'
import { ByteReader } from './byte-reader.ts'
import type { FilmItem } from './film.types.ts'
import type { FilmChild, FilmChildren } from './film-children.ts'
import { isSelfContained, readHead } from './item-bytes.ts'
import type { ItemOffer, ItemServer } from './item-server.ts'
import {
  decoderLimits,
  endedAsItShould,
  inputArguments,
  metSpoiledBytes,
  sendAddress,
  withPatience,
} from './media-input.ts'
import { type Picture, pictureBytes } from './pictures.ts'

export interface ClipOptions {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly children: FilmChildren
  readonly server: ItemServer
}

/**
 * Frames at the film's rate from `first` on. What is before it is decoded and left out: a recording at a variable rate
 * shows in a moment what changed last before it, which only its frames in a row tell, and many have no index to seek by.
 */
const decoderArguments = ({ width, height, framesPerSecond }: ClipOptions, first: number): string[] => {
  const filters = [
    `fps=${framesPerSecond}:start_time=0`,
    ...(first > 0 ? [`trim=start_frame=${first}`, 'setpts=PTS-STARTPTS'] : []),
    'scale=iw*sar:ih',
    `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2:out_color_matrix=bt709:out_range=tv`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:color=0xdcdcdc`,
    'format=yuv420p',
  ]
  return [...inputArguments(0), '-map', '0:v:0', '-vf', filters.join(','), '-f', 'rawvideo', 'pipe:1']
}

/** The frames of a recording at the film's rate, one after the other; the next is fetched while one is shown. */
export class ClipFrames {
  readonly #options: ClipOptions
  readonly #first: number
  readonly #started: Promise<{ child: FilmChild; reader: ByteReader; offer: ItemOffer } | undefined>
  #next: Promise<Picture | undefined>
  #spare: Buffer | undefined
  #shown: Picture | undefined
  #index: number
  #isOver = false
  #isClosed = false

  /** `first` is the number of the first frame that is wanted. */
  constructor(item: FilmItem, options: ClipOptions, first = 0) {
    this.#options = options
    this.#first = first
    this.#index = first - 1
    this.#started = this.#start(item)
    this.#next = this.#ahead()
  }

  async #start(item: FilmItem) {
    if (!isSelfContained(await readHead(item, 12)) || this.#isClosed) return undefined
    const offer = this.#options.server.offer(item)
    const limits = decoderLimits((item.untilMs - item.beginsMs) / 1000)
    const child = this.#options.children.start(decoderArguments(this.#options, this.#first), { limits })
    sendAddress(child, 0, offer.url)
    return { child, reader: new ByteReader(child.pipes[1] as Readable), offer }
  }

  /** Fetched before anybody waits for it, so a failure must wait as well. */
  #ahead(): Promise<Picture | undefined> {
    const next = this.#fetch()
    next.catch(() => undefined)
    return next
  }

  async #fetch(): Promise<Picture | undefined> {
    const started = await this.#started
    if (!started) return undefined
    const { width, height } = this.#options
    const data = this.#spare ?? Buffer.allocUnsafe(pictureBytes(width, height))
    this.#spare = undefined
    const filled = await started.reader.fill(data)
    // A new object for new content, although the bytes take turns.
    return filled === data.length ? { width, height, data } : undefined
  }

  /** The newest picture up to that frame, counted from the recording's beginning, and its number. Numbers only grow. */
  async frame(index: number): Promise<{ readonly picture: Picture; readonly index: number } | undefined> {
    while (this.#index < index && !this.#isOver) {
      const next = await this.#wait()
      if (!next) {
        this.#isOver = true
        break
      }
      this.#spare = this.#shown?.data
      this.#shown = next
      this.#index += 1
      this.#next = this.#ahead()
    }
    return this.#shown && { picture: this.#shown, index: this.#index }
  }

  async #wait(): Promise<Picture | undefined> {
    const started = await this.#started
    return started && withPatience(started.child, this.#next)
  }

  /** Whether the recording has an end, rather than breaking off. To be asked after its last frame. */
  async endedWell(): Promise<boolean> {
    const started = await this.#started
    return started !== undefined && endedAsItShould(await started.child.ended)
  }

  /** Whether its decoder was ended from outside. To be asked after its last frame. */
  async wasKilled(): Promise<boolean> {
    const started = await this.#started
    return started !== undefined && (await started.child.ended).wasKilled
  }

  /** Whether it has bytes that nothing could be made of, as far as it was read: the decoder guesses a picture or leaves it out. */
  async isSpoiled(): Promise<boolean> {
    const started = await this.#started
    return started !== undefined && metSpoiledBytes(started.child.said())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const started = await this.#started.catch(() => undefined)
    if (!started) return
    started.offer.withdraw()
    started.child.kill()
    await started.child.ended
  }
}
