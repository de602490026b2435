import { withoutDirections } from './pdf-bidi.ts'
import { settable } from './pdf-fonts.ts'
import { showPiece } from './pdf-glyphs.ts'
import { type Line, linesOf } from './pdf-lines.ts'

export type Doc = PDFKit.PDFDocument
export type Element = PDFKit.PDFStructureElement

export const margins = { top: 54, bottom: 72, left: 54, right: 54 }
export const sizes = { body: 9, small: 7.5 } as const

export interface Style {
  readonly size: number
  readonly bold?: boolean
  readonly width?: number
  /** Black unless told. */
  readonly colour?: string
}

export const widthOf = ({ page }: Doc): number => page.width - margins.left - margins.right
const bottomOf = ({ page }: Doc): number => page.height - page.margins.bottom

/** A text as the lines that `writeLines` draws. */
export const layLines = (doc: Doc, text: string, { size, bold = false, width = widthOf(doc) }: Style): Line[] =>
  linesOf(doc, text, { size, bold, width })

/** Lines below each other, those of a script from right to left at the right; goes on on the next page where there is no room. */
export const writeLines = (doc: Doc, lines: readonly Line[], { width = widthOf(doc), colour }: Style): void => {
  const { x: left } = doc
  for (const line of lines) {
    if (!hasRoom(doc, line.height)) doc.continueOnNewPage()
    doc.fillColor(colour ?? 'black')
    const top = doc.y
    let x = line.isRightToLeft ? left + width - line.width : left
    for (const piece of line.pieces) {
      showPiece(doc, piece, x, top + line.ascent)
      x += piece.width
    }
    doc.x = left
    doc.y = top + line.height
  }
}

export const write = (doc: Doc, text: string, style: Style): void => writeLines(doc, layLines(doc, text, style), style)

export const heightOfLines = (lines: readonly Line[]): number => lines.reduce((sum, { height }) => sum + height, 0)

/** How high `write` would set it. */
export const heightOf = (doc: Doc, text: string, style: Style): number => heightOfLines(layLines(doc, text, style))

/** Letters that are drawn in another order than they are written, or that no font here has. */
const isPlain = /^[\n -~\u00a0-\u017f\u0370-\u052f–—‘’“”…·₹]*$/

/** For whoever listens: the letters as they are written, where they are drawn otherwise. */
export const spoken = (text: string): { actual?: string } =>
  isPlain.test(text) ? {} : { actual: withoutDirections(settable(text)) }

/** Whether there is room for so much on this page. */
export const hasRoom = (doc: Doc, height: number): boolean => doc.y + height <= bottomOf(doc)
export const makeRoom = (doc: Doc, height: number): void => {
  if (!hasRoom(doc, height)) doc.addPage()
}

/** What is no part of what is read. */
export const decorate = (doc: Doc, type: 'Layout' | 'Pagination', draw: () => void): void => {
  doc.markContent('Artifact', { type })
  draw()
  doc.endMarkedContent()
}
