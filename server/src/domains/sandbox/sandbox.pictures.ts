import sharp from 'sharp'
import { letters, lettersWidth } from './sandbox.letters.ts'

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

const encode = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg, 'utf8')).webp({ quality: 60, effort: 1 }).toBuffer()

const drawing = (size: Size, canvas: Size, background: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${canvas.width} ${canvas.height}"><rect width="100%" height="100%" fill="${background}"/>${parts.join('')}</svg>`

/** "SIMULATED" and the time in the interview, along the lower edge, so that nobody takes it for a recording. */
const label = ({ width, height }: Size, clock: string): string => {
  const dot = width / 160
  const text = `SIMULATED ${clock}`
  const bar = 11 * dot
  const x = (width - lettersWidth(text, dot)) / 2
  return `<rect y="${height - bar}" width="${width}" height="${bar}" fill="#ffd54a"/>${letters(text, { x, y: height - bar + 2 * dot, dot }, '#1c2230')}`
}

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
      letters('SIMULATED EDITOR', { x: 338, y: 35, dot: 3 }, '#a9b1d6'),
      codeLines(number),
      label(screenCanvas, clock),
    ]),
  )

/** A drawn figure without a face, 320 × 240 pixels, WebP. It sways a little from one to the next. */
export const cameraPicture = (clock: string, number: number): Promise<Buffer> => {
  const x = 240 + ((number * 13) % 21) - 10
  return encode(
    drawing(cameraSize, cameraCanvas, '#cfd8dc', [
      `<ellipse cx="${x}" cy="350" rx="120" ry="110" fill="#607d8b"/><circle cx="${x}" cy="160" r="66" fill="#90a4ae"/>`,
      label(cameraCanvas, clock),
    ]),
  )
}
