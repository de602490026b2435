import type { PdfBlock, StripLook, StripStretch } from './pdf.types.ts'
import {
  type Doc,
  decorate,
  type Element,
  heightOf,
  makeRoom,
  margins,
  sizes,
  spoken,
  widthOf,
  write,
} from './pdf-text.ts'

const height = 10

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
}

const hatch = (doc: Doc, { x, y, width }: Box): void => {
  doc.save()
  doc.rect(x, y, width, height).clip()
  doc.lineWidth(0.4)
  for (let from = x - height; from < x + width; from += 4) doc.moveTo(from, y + height).lineTo(from + height, y)
  doc.stroke('black')
  doc.restore()
}

/** Told apart without colour, and on a bad printer. */
const looks: Readonly<Record<StripLook, (doc: Doc, box: Box) => void>> = {
  filled: (doc, { x, y, width }) => void doc.rect(x, y, width, height).fill('#767676'),
  framed: (doc, { x, y, width }) => void doc.lineWidth(1).rect(x, y, width, height).stroke('black'),
  pale: (doc, { x, y, width }) => void doc.rect(x, y, width, height).fill('#dcdcdc'),
  hatched: hatch,
  line: (doc, { x, y, width }) =>
    void doc
      .lineWidth(0.5)
      .moveTo(x, y + height / 2)
      .lineTo(x + width, y + height / 2)
      .stroke('black'),
}

/** Frames come last, or what is beside them would cover them. */
const inOrder = (stretches: readonly StripStretch[]): StripStretch[] =>
  stretches.toSorted((a, b) => Number(a.look === 'framed') - Number(b.look === 'framed'))

/** A bar with its words above it. */
export const placeStrip = (doc: Doc, root: Element, block: Extract<PdfBlock, { kind: 'strip' }>): void => {
  const { label, alt, stretches } = block
  makeRoom(doc, heightOf(doc, label, { size: sizes.small }) + height + 12)
  root.add(doc.struct('P', spoken(label), () => write(doc, label, { size: sizes.small })))
  const [x, y, width] = [margins.left, doc.y + 2, widthOf(doc)]
  const draw = () => {
    for (const { from, to, look } of inOrder(stretches))
      looks[look](doc, { x: x + from * width, y, width: Math.max(0.6, (to - from) * width) })
  }
  const bbox = [x, y - 1, x + width, y + height + 1]
  root.add(doc.struct('Figure', { alt, bbox } as object, draw))
  doc.x = margins.left
  doc.y = y + height + 7
}

/** What each look says, side by side. */
export const placeLegend = (doc: Doc, root: Element, { entries }: Extract<PdfBlock, { kind: 'legend' }>): void => {
  const width = widthOf(doc) / Math.max(1, entries.length)
  makeRoom(doc, height + 30)
  const { y } = doc
  let lowest = y
  for (const [n, { look, text }] of entries.entries()) {
    const x = margins.left + n * width
    decorate(doc, 'Layout', () => looks[look](doc, { x, y, width: 18 }))
    doc.x = x + 24
    doc.y = y
    root.add(doc.struct('P', spoken(text), () => write(doc, text, { size: sizes.small, width: width - 30 })))
    lowest = Math.max(lowest, doc.y, y + height)
  }
  doc.x = margins.left
  doc.y = lowest + 6
}
