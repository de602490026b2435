import type { FilmPlace } from './film.types.ts'
import { type FilmLayout, greys, type InsetLayout } from './film-layout.ts'
import type { PlaceFrame } from './picture-track.ts'
import { createPicture, drawMask, fillGrey, type Mask, type Picture, putPicture, type Rectangle } from './pictures.ts'
import { textMask } from './text-masks.ts'

type Drawn = Pick<PlaceFrame, 'picture' | 'label'>

const even = (value: number): number => Math.ceil(value / 2) * 2

/** What every frame of a film is drawn on: the screen, the insets over it, and the names of both. */
export class FilmCanvas {
  readonly picture: Picture
  readonly #layout: FilmLayout
  readonly #names: readonly string[]
  readonly #masks = new Map<string, Mask | undefined>()
  #before: readonly Drawn[] = []

  constructor(layout: FilmLayout, places: readonly FilmPlace[]) {
    this.#layout = layout
    this.#names = places.map(({ name }) => name)
    this.picture = createPicture(layout.width, layout.height, greys.mat)
  }

  /** Draws the places, the screen first, where they changed; false when none did. */
  async draw(places: readonly Drawn[]): Promise<boolean> {
    const isNew = places.map(({ picture, label }, i) => {
      const before = this.#before[i]
      return picture !== before?.picture || label !== before.label
    })
    this.#before = places
    if (!isNew.includes(true)) return false
    const [screen, ...insets] = places
    if (isNew[0] && screen) await this.#put(screen, this.#layout.screen, 0)
    for (const [i, inset] of insets.entries()) {
      const at = this.#layout.insets[i]
      if (!at || !(isNew[0] || isNew[i + 1])) continue
      if (isNew[0]) this.#frame(at)
      await this.#put(inset, at.place, i + 1)
    }
    return true
  }

  #frame({ outline, edge }: InsetLayout): void {
    fillGrey(this.picture, outline, greys.insetOutline)
    fillGrey(this.picture, edge, greys.insetEdge)
  }

  async #put({ picture, label }: Drawn, at: Rectangle, place: number): Promise<void> {
    putPicture(this.picture, picture, at)
    const mask = await this.#mask([this.#names[place], label].filter(Boolean).join(' · '), at.width)
    if (!mask) return
    const pad = even(this.#layout.nameText / 3)
    const width = Math.min(at.width, even(mask.width + 2 * pad))
    const height = Math.min(at.height, even(mask.height + pad))
    fillGrey(this.picture, { x: at.x, y: at.y, width, height }, greys.strip)
    drawMask(this.picture, mask, { x: at.x + pad, y: at.y + Math.round((height - mask.height) / 2) }, greys.text)
  }

  /** There are as many names as sources. */
  async #mask(text: string, width: number): Promise<Mask | undefined> {
    if (text === '') return undefined
    if (!this.#masks.has(text)) {
      const size = this.#layout.nameText
      const box = { width: Math.max(2, width - size), lines: 1, align: 'left' } as const
      this.#masks.set(text, await textMask(text, { size, font: 'sans' }, box))
    }
    return this.#masks.get(text)
  }
}
