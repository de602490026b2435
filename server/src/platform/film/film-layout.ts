import { lumaOfGrey, type Rectangle } from './pictures.ts'

/** Greys of the frame, as luma. The words stand on their ground with a contrast of more than 7 to 1 (WCAG AAA). */
export const greys = {
  /** Around a picture that has another shape than its place. */
  mat: lumaOfGrey(0xdc),
  card: lumaOfGrey(0xf0),
  cardEdge: lumaOfGrey(0xc4),
  strip: lumaOfGrey(0xfa),
  line: lumaOfGrey(0xc8),
  text: lumaOfGrey(0x1c),
  quietText: lumaOfGrey(0x4a),
  insetEdge: lumaOfGrey(0xff),
  insetOutline: lumaOfGrey(0x58),
} as const
/** The mat again, as sharp takes colours. */
export const matColour = { r: 0xdc, g: 0xdc, b: 0xdc } as const

/** A small place over the screen, and the two frames around it. */
export interface InsetLayout {
  readonly place: Rectangle
  readonly edge: Rectangle
  readonly outline: Rectangle
}

/** The number of insets that fit above each other. */
export const mostInsets = 3

export interface FilmLayout {
  readonly width: number
  readonly height: number
  /** Where the screen is shown: the whole width above the strip. */
  readonly screen: Rectangle
  /** From the right corner below upwards; `mostInsets`. */
  readonly insets: readonly [InsetLayout, InsetLayout, InsetLayout]
  readonly strip: Rectangle
  readonly clock: { readonly x: number; readonly y: number; readonly size: number }
  readonly elapsed: { readonly x: number; readonly y: number; readonly size: number }
  /** Left of the line between clock and caption. */
  readonly divider: number
  readonly caption: { readonly x: number; readonly width: number; readonly size: number; readonly lines: number }
  readonly cardText: { readonly screen: number; readonly inset: number }
  /** Size of the words that name a place. */
  readonly nameText: number
}

const even = (value: number): number => Math.round(value / 2) * 2
const grown = (inner: Rectangle, by: number): Rectangle => ({
  x: inner.x - by,
  y: inner.y - by,
  width: inner.width + 2 * by,
  height: inner.height + 2 * by,
})

/** Places everything in a frame of even width and height; sizes are those of 1280 × 720, scaled by the height. */
export const layoutFilm = (width: number, height: number): FilmLayout => {
  const scaled = (pixels: number) => even((pixels * height) / 720)
  const font = (pixels: number) => Math.max(6, Math.round((pixels * height) / 720))
  const strip: Rectangle = { x: 0, y: height - scaled(64), width, height: scaled(64) }
  const screen: Rectangle = { x: 0, y: 0, width, height: strip.y }
  const size = { width: even(width * 0.22), height: even((width * 0.22 * 9) / 16) }
  const inset = (above: number): InsetLayout => {
    const y = screen.height - scaled(16) - size.height - above * (size.height + scaled(16))
    const place = { x: width - scaled(16) - size.width, y, ...size }
    return { place, edge: grown(place, 2), outline: grown(place, 4) }
  }
  const margin = scaled(20)
  const divider = margin + scaled(286)
  return {
    width,
    height,
    screen,
    insets: [inset(0), inset(1), inset(2)],
    strip,
    clock: { x: margin, y: strip.y + scaled(9), size: font(19) },
    elapsed: { x: margin, y: strip.y + scaled(36), size: font(14) },
    divider,
    caption: { x: divider + margin, width: width - divider - 2 * margin, size: font(18), lines: 2 },
    cardText: { screen: font(26), inset: font(15) },
    nameText: font(13),
  }
}
