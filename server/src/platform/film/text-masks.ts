import { createRequire } from 'node:module'
import sharp from 'sharp'
import type { Mask } from './pictures.ts'

/*
 * Text as coverage masks, with the fonts of a package: a server has none, and the same words look the same everywhere.
 * Pango crops a text to its ink, which would move short words up and down; a full block, as tall as a line can be, is
 * drawn along and cut off, so that the base line stays where it is.
 */

export interface TextStyle {
  /** Height of the font in pixels. */
  readonly size: number
  readonly font: 'sans' | 'bold' | 'mono'
}
export interface TextBox {
  readonly width: number
  readonly lines: number
  readonly align: 'left' | 'centre'
}

const require = createRequire(import.meta.url)
const fonts = {
  sans: { family: 'DejaVu Sans', file: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf' },
  bold: { family: 'DejaVu Sans Bold', file: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf' },
  mono: { family: 'DejaVu Sans Mono', file: 'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf' },
} as const
const block = '█'
/** Nobody reads more of it in a film, and layout time grows with length. */
const longestText = 1000

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** One line of well-formed text: control characters, line ends and what else has no shape become a space. */
export const plainLine = (text: string): string =>
  text
    .slice(0, longestText)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\s]+/gu, ' ')
    .trim()

/** How sharp is told to set a text in one of our fonts. */
export const fontOptions = ({ font, size }: TextStyle) => ({
  font: `${fonts[font].family} ${size}px`,
  fontfile: require.resolve(fonts[font].file),
  dpi: 72,
})

const draw = async (text: string, style: TextStyle, box?: TextBox): Promise<Mask> => {
  const { data, info } = await sharp({
    text: {
      text: escaped(text),
      ...fontOptions(style),
      ...(box ? { width: box.width, wrap: 'word-char', align: box.align } : {}),
    },
  })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

const cut = (mask: Mask, from: { x: number; y: number }, width: number, height: number): Mask => {
  const data = Buffer.alloc(width * height)
  for (let row = 0; row < height; row++) {
    const start = (from.y + row) * mask.width + from.x
    data.set(mask.data.subarray(start, Math.min(start + width, mask.data.length)), row * width)
  }
  return { width, height, data }
}

interface LineSize {
  /** From one line to the next, in pixels. */
  readonly pitch: number
  /** Of the full block, which may reach into the line below. */
  readonly block: number
}
const lineSize = async (style: TextStyle): Promise<LineSize> => {
  const [one, two] = await Promise.all([draw(block, style), draw(`${block}\n${block}`, style)])
  return { pitch: two.height - one.height, block: one.height }
}

/** The mask of a text in a box, and how many lines it takes there. */
const drawLines = async (text: string, style: TextStyle, box: TextBox, line: LineSize) => {
  const whole = await draw(`${block}\n${text}`, style, box)
  const height = Math.max(1, whole.height - line.pitch)
  const mask = cut(whole, { x: 0, y: whole.height - height }, whole.width, height)
  mask.data.fill(0, 0, Math.max(0, line.block - line.pitch) * mask.width)
  return { lines: Math.max(1, Math.ceil((height - 2) / line.pitch)), mask }
}

/** A text on as many lines as the box has; what does not fit is cut off with an ellipsis. Undefined for no text. */
export const textMask = async (text: string, style: TextStyle, box: TextBox): Promise<Mask | undefined> => {
  const words = plainLine(text)
  if (!words) return undefined
  const line = await lineSize(style)
  const whole = await drawLines(words, style, box, line)
  if (whole.lines <= box.lines) return whole.mask
  const letters = Array.from(new Intl.Segmenter().segment(words), ({ segment }) => segment)
  const shortened = (kept: number) => drawLines(`${letters.slice(0, kept).join('').trimEnd()}…`, style, box, line)
  let [fits, tooMany] = [0, letters.length]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if ((await shortened(middle)).lines <= box.lines) fits = middle
    else tooMany = middle
  }
  return (await shortened(fits)).mask
}

/** Single characters of the fixed-width font, each in a cell of the same size. */
export const characterMasks = async (characters: string, size: number): Promise<ReadonlyMap<string, Mask>> => {
  const style: TextStyle = { size, font: 'mono' }
  const one = await draw(block, style)
  const text = `${block} ${characters} ${block}`
  const row = await draw(text, style)
  const width = Math.round((row.width - one.width) / (text.length - 1))
  const left = Math.max(0, Math.floor((one.width - width) / 2))
  const cells = Array.from(
    characters,

    (character, index) => [character, cut(row, { x: left + (index + 2) * width, y: 0 }, width, row.height)] as const,
  )
  return new Map(cells)
}
