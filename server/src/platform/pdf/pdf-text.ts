import { hasReordered, type Run, runsOf, scaleOf } from './pdf-fonts.ts'

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
const bottomOf = ({ page }: Doc): number => page.height - margins.bottom

const dress = (doc: Doc, { font }: Run, size: number): Doc => doc.font(font).fontSize(size * scaleOf(font))

/** Text in as many fonts as it needs, wrapped; goes on on the next page where there is no room. */
export const write = (doc: Doc, text: string, { size, bold = false, width = widthOf(doc), colour }: Style): void => {
  const runs = runsOf(text, bold)
  doc.fontSize(size).fillColor(colour ?? 'black')
  for (const [n, run] of runs.entries()) doc.font(run.font).text(run.text, { width, continued: n < runs.length - 1 })
}

/** For whoever listens: the letters in the order of writing where they are drawn in another one. */
export const spoken = (text: string): { actual?: string } => (hasReordered(text) ? { actual: text } : {})

/** How high `write` would set it. With several fonts on a line the highest decides, and a line more is safe. */
export const heightOf = (doc: Doc, text: string, { size, bold = false, width = widthOf(doc) }: Style): number => {
  const runs = runsOf(text, bold)
  const [only] = runs
  if (runs.length === 1 && only) return dress(doc, only, size).heightOfString(only.text, { width })
  const tallest = Math.max(0, ...runs.map((run) => dress(doc, run, size).currentLineHeight(true)))
  const length = runs.reduce((sum, run) => sum + dress(doc, run, size).widthOfString(run.text), 0)
  return (Math.ceil((length * 1.15) / width) + text.split('\n').length) * tallest
}

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
