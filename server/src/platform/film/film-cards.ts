import { greys } from './film-layout.ts'
import { createPicture, drawMask, fillGrey, type Picture, type Rectangle } from './pictures.ts'
import { textMask } from './text-masks.ts'

/** The text of the card for evidence that ffmpeg or sharp could not open. */
export const undecodedText = 'This item could not be decoded'
/** Under the picture, where another picture stands in its place, and where there is silence. */
export const undecodedCaptions = {
  picture: 'A recording of this time could not be decoded',
  part: 'A part of the recording shown here could not be decoded',
  sound: 'The sound of this time could not be decoded',
} as const

export interface CardStyle {
  readonly width: number
  readonly height: number
  readonly textSize: number
  /** Whether a line runs around it; the corner has a frame already. */
  readonly hasEdge: boolean
}

/** A light card with words in its middle: shown where there is no picture, so that nothing looks like a black screen. */
export const drawCard = async (text: string, style: CardStyle): Promise<Picture> => {
  const { width, height } = style
  const card = createPicture(width, height, greys.card)
  const margin = Math.round(Math.min(width, height) * 0.06)
  const inner: Rectangle = { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin }
  const box = { width: inner.width - 2 * margin, lines: 4, align: 'centre' } as const
  const mask = await textMask(text, { size: style.textSize, font: 'sans' }, box)
  if (style.hasEdge) for (const edge of edges(inner)) fillGrey(card, edge, greys.cardEdge)
  if (mask) {
    const at = { x: Math.round((width - mask.width) / 2), y: Math.round((height - mask.height) / 2) }
    drawMask(card, mask, at, greys.quietText)
  }
  return card
}

const edges = ({ x, y, width, height }: Rectangle): Rectangle[] => [
  { x, y, width, height: 1 },
  { x, y: y + height - 1, width, height: 1 },
  { x, y, width: 1, height },
  { x: x + width - 1, y, width: 1, height },
]
