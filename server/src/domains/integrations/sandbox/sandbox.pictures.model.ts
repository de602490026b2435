import sharp, { type OverlayOptions } from 'sharp'
import { fontOptions, type TextStyle } from '../../../platform/film/text-masks.ts'
import { codeMarkup, page, program, sceneAt } from './sandbox.scenes.model.ts'

/** Pixels of the pictures. */
export const screenSize = { width: 960, height: 540 } as const
export const cameraSize = { width: 480, height: 360 } as const

interface Size {
  readonly width: number
  readonly height: number
}

/** Text as Pango markup at a place; in the middle of the width when it has no `left`. */
interface Text extends TextStyle {
  readonly markup: string
  readonly left?: number
  /** Of the middle of its height. */
  readonly middle: number
}

const setText = async ({ markup, left, middle, font, size }: Text, width: number): Promise<OverlayOptions> => {
  const { data, info } = await sharp({ text: { text: markup, rgba: true, ...fontOptions({ font, size }) } })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return {
    input: data,
    raw: { width: info.width, height: info.height, channels: info.channels },
    left: left ?? Math.round((width - info.width) / 2),
    top: Math.round(middle - info.height / 2),
  }
}

const inColour = (colour: string, text: string): string => `<span foreground="${colour}">${text}</span>`

const encode = async (svg: string, { width }: Size, texts: readonly Text[]): Promise<Buffer> => {
  const set = await Promise.all(texts.map((text) => setText(text, width)))
  return sharp(Buffer.from(svg, 'utf8')).composite(set).webp({ quality: 60, effort: 1 }).toBuffer()
}

const drawing = ({ width, height }: Size, background: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${background}"/>${parts.join('')}</svg>`

/** The share of the height that the label takes. */
const labelShare = 1 / 12

const labelBar = ({ width, height }: Size): string =>
  `<rect y="${height * (1 - labelShare)}" width="${width}" height="${height * labelShare}" fill="#ffd54a"/>`

/** "SIMULATED" and the time in the interview, along the lower edge, so that nobody takes it for a recording. */
const label = ({ height }: Size, clock: string): Text => ({
  markup: inColour('#1c2230', `SIMULATED ${clock}`),
  font: 'bold',
  size: Math.round(height * labelShare * 0.8),
  middle: height * (1 - labelShare / 2),
})

const windowOf = (ground: string, bar: string): string =>
  `<rect x="36" y="20" width="888" height="460" rx="10" fill="${ground}"/><path d="M36 52V30a10 10 0 0 1 10-10h868a10 10 0 0 1 10 10v22z" fill="${bar}"/><circle cx="56" cy="36" r="6" fill="#e06c75"/><circle cx="76" cy="36" r="6" fill="#e0af68"/><circle cx="96" cy="36" r="6" fill="#9ece6a"/>`

/** Lines that fit into the window; more of them scroll. */
const linesInView = 20
const lineHeight = 20
const firstLine = 76

const editor = (lines: number): { parts: string[]; texts: Text[] } => {
  const from = Math.max(0, lines - linesInView)
  const shown = program.slice(from, lines)
  const current = firstLine + (shown.length - 1) * lineHeight
  const code = shown.flatMap((line, n): Text[] => {
    const middle = firstLine + n * lineHeight
    const number: Text = { markup: inColour('#565f89', `${from + n + 1}`), font: 'mono', size: 13, left: 200, middle }
    const indent = line.length - line.trimStart().length
    // Pango crops to the ink, so spaces before a line are its place instead.
    const left = 240 + Math.round(indent * 7.9)
    return line === '' ? [number] : [number, { markup: codeMarkup(line.trim()), font: 'mono', size: 13, left, middle }]
  })
  const files = ['bookings.ts', 'bookings.md', 'package.json'].map(
    (name, n): Text => ({
      markup: inColour(n === 0 ? '#c0caf5' : '#6b7394', name),
      font: 'sans',
      size: 13,
      left: 60,
      middle: 82 + n * 26,
    }),
  )
  return {
    parts: [
      windowOf('#1a1b26', '#24283b'),
      '<path d="M36 52h144v428H46a10 10 0 0 1-10-10z" fill="#16161e"/>',
      `<rect x="184" y="${current - 10}" width="740" height="20" fill="#292e42"/>`,
    ],
    texts: [
      { markup: inColour('#a9b1d6', 'bookings.ts - Editor'), font: 'sans', size: 14, middle: 36 },
      ...files,
      ...code,
    ],
  }
}

const browser = (read: number): { parts: string[]; texts: Text[] } => {
  const marked = read % page.paragraphs.length
  return {
    parts: [
      windowOf('#ffffff', '#dfe3ea'),
      '<rect x="120" y="25" width="640" height="22" rx="11" fill="#ffffff"/>',
      `<rect x="76" y="${154 + marked * 62}" width="808" height="40" rx="6" fill="#fff3c4"/>`,
    ],
    texts: [
      { markup: inColour('#4a5568', page.address), font: 'sans', size: 13, left: 136, middle: 36 },
      { markup: inColour('#1a202c', page.title), font: 'bold', size: 30, left: 88, middle: 104 },
      ...page.paragraphs.map(
        (text, n): Text => ({
          markup: inColour('#2d3748', text.replaceAll('&', '&amp;')),
          font: 'sans',
          size: 16,
          left: 92,
          middle: 174 + n * 62,
        }),
      ),
    ],
  }
}

/** A screen with an editor or a page in front, 960 × 540 pixels, WebP. What it shows follows from the second. */
export const screenPicture = (clock: string, seconds: number): Promise<Buffer> => {
  const scene = sceneAt(seconds)
  const { parts, texts } = scene.show === 'editor' ? editor(scene.lines) : browser(scene.read)
  return encode(drawing(screenSize, '#2b3a55', [...parts, labelBar(screenSize)]), screenSize, [
    ...texts,
    label(screenSize, clock),
  ])
}

/** A drawn figure in a room, 480 × 360 pixels, WebP. It sways a little, and its mouth is open while it speaks. */
export const cameraPicture = (clock: string, number: number, speaking = false): Promise<Buffer> => {
  const x = 240 + ((number * 13) % 21) - 10
  const mouth = speaking
    ? `<ellipse cx="${x}" cy="194" rx="14" ry="9" fill="#6d3b34"/>`
    : `<path d="M${x - 16} 190q16 10 32 0" fill="none" stroke="#6d3b34" stroke-width="4" stroke-linecap="round"/>`
  return encode(
    drawing(cameraSize, '#d8e0e3', [
      '<rect x="26" y="30" width="120" height="150" fill="#b7d4e8" stroke="#ffffff" stroke-width="8"/><path d="M86 30v150M26 105h120" stroke="#ffffff" stroke-width="5"/>',
      '<rect x="350" y="60" width="110" height="10" fill="#9c7b5c"/><rect x="358" y="20" width="14" height="40" fill="#b5534c"/><rect x="374" y="26" width="12" height="34" fill="#4c7fb5"/><rect x="390" y="16" width="16" height="44" fill="#e0b34d"/>',
      `<path d="M${x - 130} 330q10-96 90-104h80q80 8 90 104z" fill="#46627a"/><rect x="${x - 24}" y="200" width="48" height="46" fill="#c99a7a"/>`,
      `<ellipse cx="${x}" cy="150" rx="62" ry="74" fill="#ddb08f"/><path d="M${x - 64} 140q0-76 64-76t64 76q-20-42-64-42t-64 42z" fill="#3c2f2a"/>`,
      `<circle cx="${x - 24}" cy="148" r="5" fill="#2b2b2b"/><circle cx="${x + 24}" cy="148" r="5" fill="#2b2b2b"/>${mouth}`,
      labelBar(cameraSize),
    ]),
    cameraSize,
    [label(cameraSize, clock)],
  )
}
