import { type FilmLayout, greys } from './film-layout.ts'
import type { FrameSpan } from './film-spans.ts'
import { drawMask, fillGrey, type Mask, type Picture } from './pictures.ts'
import { characterMasks, textMask } from './text-masks.ts'

export interface StripOptions {
  readonly layout: FilmLayout
  readonly startsAt: number
  readonly durationMs: number
  readonly framesPerSecond: number
  /** Every frame of the film is in one of them. */
  readonly captions: readonly FrameSpan<string>[]
}

type Characters = ReadonlyMap<string, Mask>
const pad = (value: number): string => String(value).padStart(2, '0')
/** Whole seconds as hours, minutes and seconds. */
const clockText = (seconds: number): string =>
  `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`

/** The strip below the picture: the time, in UTC and since the beginning, and the words of the moment. */
export class CaptionStrip {
  readonly #options: StripOptions
  readonly #characters: { clock: Characters; elapsed: Characters }
  #second = Number.NaN
  #span = 0
  /** Words that stand there; undefined before the first frame. */
  #drawn: string | undefined
  #ahead: { readonly text: string; readonly mask: Promise<Mask | undefined> }

  private constructor(options: StripOptions, characters: { clock: Characters; elapsed: Characters }) {
    this.#options = options
    this.#characters = characters
    this.#ahead = this.#caption(options.captions[0]?.value ?? '')
  }

  static async create(options: StripOptions): Promise<CaptionStrip> {
    const { clock, elapsed } = options.layout
    const characters = {
      clock: await characterMasks('0123456789-: UTC', clock.size),
      elapsed: await characterMasks('0123456789:/ ', elapsed.size),
    }
    return new CaptionStrip(options, characters)
  }

  /**
   * Draws the strip as it is at that frame, with what is known of it only now; false when nothing in it changed. Frames
   * come in order.
   */
  async draw(frame: number, canvas: Picture, also: readonly string[] = []): Promise<boolean> {
    const { captions } = this.#options
    while (frame >= (captions[this.#span]?.until ?? Number.POSITIVE_INFINITY) && this.#span < captions.length - 1)
      this.#span += 1
    const text = [...also, captions[this.#span]?.value ?? ''].filter(Boolean).join('  ·  ')
    const hasNewCaption = this.#drawn !== text
    if (hasNewCaption) {
      await this.#drawCaption(text, canvas)
      this.#ahead = this.#caption(captions[this.#span + 1]?.value ?? '')
    }
    return this.#drawClock(frame, canvas) || hasNewCaption
  }

  #caption(text: string) {
    const { width, size, lines } = this.#options.layout.caption
    const mask = textMask(text, { size, font: 'sans' }, { width, lines, align: 'left' })
    mask.catch(() => undefined)
    return { text, mask }
  }

  async #drawCaption(text: string, canvas: Picture): Promise<void> {
    const { strip, caption, divider } = this.#options.layout
    const mask = await (this.#ahead.text === text ? this.#ahead : this.#caption(text)).mask
    if (this.#drawn === undefined) {
      fillGrey(canvas, strip, greys.strip)
      fillGrey(canvas, { ...strip, height: 2 }, greys.line)
    }
    const place = { x: divider + 2, y: strip.y + 2, width: strip.width - divider - 2, height: strip.height - 2 }
    fillGrey(canvas, place, greys.strip)
    if (mask) {
      const y = strip.y + 2 + Math.round((strip.height - 2 - mask.height) / 2)
      drawMask(canvas, mask, { x: caption.x, y }, greys.text)
      fillGrey(canvas, { x: divider, y: strip.y + 10, width: 2, height: strip.height - 20 }, greys.line)
    } else fillGrey(canvas, { ...place, x: divider, width: 2 }, greys.strip)
    this.#drawn = text
  }

  /** Draws the time when it shows another second than before. */
  #drawClock(frame: number, canvas: Picture): boolean {
    const { layout, startsAt, durationMs, framesPerSecond } = this.#options
    const elapsedMs = (frame * 1000) / framesPerSecond
    const second = Math.floor((startsAt + elapsedMs) / 1000)
    const elapsed = Math.floor(elapsedMs / 1000)
    // Both change once a second, but not at the same moment.
    const key = second + elapsed
    if (key === this.#second) return false
    this.#second = key
    const { strip, divider } = layout
    fillGrey(canvas, { x: 0, y: strip.y + 2, width: divider, height: strip.height - 2 }, greys.strip)
    const wall = `${new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    drawRow(canvas, wall, this.#characters.clock, layout.clock, greys.text)
    const total = Math.floor(durationMs / 1000)
    drawRow(
      canvas,
      `${clockText(elapsed)} / ${clockText(total)}`,
      this.#characters.elapsed,
      layout.elapsed,
      greys.quietText,
    )
    return true
  }
}

const drawRow = (
  canvas: Picture,
  text: string,
  masks: Characters,
  at: { x: number; y: number },
  luma: number,
): void => {
  let x = at.x
  for (const character of text) {
    const mask = masks.get(character)
    if (!mask) continue
    drawMask(canvas, mask, { x, y: at.y }, luma)
    x += mask.width
  }
}
