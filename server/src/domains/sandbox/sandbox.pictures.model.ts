import sharp, { type OverlayOptions } from 'sharp'
import { fontOptions } from '../../platform/film/text-masks.ts'

/** Pixels of the pictures. */
export const screenSize = { width: 640, height: 360 } as const
export const cameraSize = { width: 320, height: 240 } as const

/** What they are drawn in: one and a half times as large. */
const screenCanvas = { width: 960, height: 540 } as const
const cameraCanvas = { width: 480, height: 360 } as const

interface Size {
  readonly width: number
  readonly height: number
}

/** A line of text in the middle of a height. */
interface Line {
  readonly text: string
  readonly colour: string
  /** Of the font, in pixels. */
  readonly size: number
  readonly middle: number
}

const setText = async ({ text, colour, size, middle }: Line, width: number): Promise<OverlayOptions> => {
  const font = fontOptions({ font: 'bold', size })
  const markup = `<span foreground="${colour}">${text}</span>`
  const { data, info } = await sharp({ text: { text: markup, rgba: true, ...font } })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { input: data, left: Math.round((width - info.width) / 2), top: Math.round(middle - info.height / 2) }
}

const encode = async (svg: string, { width }: Size, lines: readonly Line[]): Promise<Buffer> => {
  const texts = await Promise.all(lines.map((line) => setText(line, width)))
  return sharp(Buffer.from(svg, 'utf8')).composite(texts).webp({ quality: 60, effort: 1 }).toBuffer()
}

const drawing = (size: Size, canvas: Size, background: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${canvas.width} ${canvas.height}"><rect width="100%" height="100%" fill="${background}"/>${parts.join('')}</svg>`

/** The share of the height that the label takes. */
const labelShare = 1 / 8

const labelBar = ({ width, height }: Size): string =>
  `<rect y="${height * (1 - labelShare)}" width="${width}" height="${height * labelShare}" fill="#ffd54a"/>`

/** "SIMULATED" and the time in the interview, along the lower edge, so that nobody takes it for a recording. */
const label = ({ height }: Size, clock: string): Line => ({
  text: `SIMULATED ${clock}`,
  colour: '#1c2230',
  size: Math.round(height * labelShare * 0.8),
  middle: height * (1 - labelShare / 2),
})

const inks = ['#7aa2f7', '#9ece6a', '#e0af68', '#bb9af7'] as const

/** Lines of made-up code: bars whose lengths follow from the line, more of them as the interview goes on. */
const codeLines = (number: number): string =>
  Array.from({ length: Math.min(16, 4 + number) }, (_, line) => {
    const indent = ((line * 7) % 4) * 24
    const width = 90 + ((line * 137) % 420)
    const y = 84 + line * 24
    return `<rect x="${150 + indent}" y="${y}" width="${width}" height="10" rx="3" fill="${inks[line % inks.length]}"/><rect x="112" y="${y}" width="14" height="10" rx="3" fill="#3b4261"/>`
  }).join('')

/** A window of an editor, 640 × 360 pixels, WebP. `number` says how much is written in it. */
export const screenPicture = (clock: string, number: number): Promise<Buffer> =>
  encode(
    drawing(screenSize, screenCanvas, '#2b3a55', [
      '<rect x="40" y="28" width="880" height="456" rx="10" fill="#1a1b26"/><rect x="40" y="28" width="880" height="36" rx="10" fill="#24283b"/>',
      '<circle cx="62" cy="46" r="6" fill="#565f89"/><circle cx="82" cy="46" r="6" fill="#565f89"/><circle cx="102" cy="46" r="6" fill="#565f89"/>',
      codeLines(number),
      labelBar(screenCanvas),
    ]),
    screenSize,
    [{ text: 'SIMULATED EDITOR', colour: '#a9b1d6', size: 15, middle: 31 }, label(screenSize, clock)],
  )

/** A drawn figure without a face, 320 × 240 pixels, WebP. It sways a little from one to the next. */
export const cameraPicture = (clock: string, number: number): Promise<Buffer> => {
  const x = 240 + ((number * 13) % 21) - 10
  return encode(
    drawing(cameraSize, cameraCanvas, '#cfd8dc', [
      `<ellipse cx="${x}" cy="350" rx="120" ry="110" fill="#607d8b"/><circle cx="${x}" cy="160" r="66" fill="#90a4ae"/>`,
      labelBar(cameraCanvas),
    ]),
    cameraSize,
    [label(cameraSize, clock)],
  )
}
