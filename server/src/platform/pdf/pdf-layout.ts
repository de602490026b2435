import PDFDocument from 'pdfkit'
import type { PdfBlock, PdfDocument } from './pdf.types.ts'
import { registerFonts, runsOf } from './pdf-fonts.ts'
import { placeLetterhead } from './pdf-letterhead.ts'
import { placeTable } from './pdf-table.ts'
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

type Placers = {
  readonly [K in PdfBlock['kind']]: (
    doc: Doc,
    root: Element,
    block: Extract<PdfBlock, { kind: K }>,
    accent: string,
  ) => void
}

const headings = { 1: 18, 2: 12 } as const
const stripHeight = 10

/** Below the text of every page. */
const writeFoot = (doc: Doc, foot: readonly string[]): (() => void) => {
  let page = 0
  return () => {
    page += 1
    const { x, y } = doc
    const { bottom } = doc.page.margins
    // Nothing here may begin another page.
    doc.page.margins.bottom = 0
    const lines = [...foot.slice(0, -1), `${foot.at(-1) ?? ''}  ·  Page ${page}`]
    decorate(doc, 'Pagination', () => {
      doc.fontSize(sizes.small).fillColor('black')
      for (const [n, line] of lines.entries()) {
        const [run] = runsOf(line, false)
        const top = doc.page.height - margins.bottom + 18 + n * 11
        if (run) doc.font(run.font).text(run.text, margins.left, top, { lineBreak: false })
      }
    })
    doc.page.margins.bottom = bottom
    doc.x = x
    doc.y = y
  }
}

const placers: Placers = {
  heading(doc, root, { level, text }, accent) {
    const style = { size: headings[level], bold: true, colour: accent }
    doc.y += level === 1 ? 0 : 10
    // A heading stands with some of what it is about.
    makeRoom(doc, heightOf(doc, text, style) + 60)
    root.add(doc.struct(`H${level}`, spoken(text), () => write(doc, text, style)))
    doc.y += 4
  },
  paragraph(doc, root, { text, quiet }) {
    const size = quiet ? sizes.small : sizes.body
    makeRoom(doc, size * (quiet ? 4 : 2))
    root.add(doc.struct('P', spoken(text), () => write(doc, text, { size })))
    doc.y += quiet ? 2 : 5
  },
  table: placeTable,
  strip(doc, root, { label, alt, parts, framed }) {
    makeRoom(doc, stripHeight + 26)
    root.add(doc.struct('P', spoken(label), () => write(doc, label, { size: sizes.small })))
    const [x, y, width] = [margins.left, doc.y + 3, widthOf(doc)]
    const part = width / Math.max(1, parts.length)
    const draw = () => {
      doc.lineWidth(0.4).rect(x, y, width, stripHeight).stroke('black')
      for (const [n, percent] of parts.entries()) {
        const height = (stripHeight * Math.min(100, Math.max(0, percent))) / 100
        if (height > 0)
          doc
            .rect(x + n * part, y + stripHeight - height, part, height)
            .fillOpacity(0.55)
            .fill('black')
      }
      doc.fillOpacity(1)
      for (const { from, to } of framed)
        doc
          .lineWidth(1)
          .rect(x + from * width, y - 2, Math.max(1, (to - from) * width), stripHeight + 4)
          .stroke('black')
    }
    const bbox = [x, y - 2, x + width, y + stripHeight + 2]
    root.add(doc.struct('Figure', { alt, bbox } as object, draw))
    doc.x = margins.left
    doc.y = y + stripHeight + 8
  },
}

const place = <K extends PdfBlock['kind']>(
  doc: Doc,
  root: Element,
  block: Extract<PdfBlock, { kind: K }>,
  accent: string,
): void => {
  const { kind } = block as { readonly kind: K }
  placers[kind](doc, root, block, accent)
}

/** A tagged PDF (PDF/UA-1) with its fonts embedded, piece by piece. The same document gives the same bytes. */
export const layOut = ({ title, language, createdAt, foot, letterhead, blocks }: PdfDocument): Doc => {
  const info = { Title: title, Producer: 'pdfkit', Creator: 'interview-integrity', CreationDate: new Date(createdAt) }
  const options: object = {
    ...{ size: 'A4', margins, autoFirstPage: false, pdfVersion: '1.7', subset: 'PDF/UA', tagged: true },
    ...{ lang: language, displayTitle: true, font: null, info },
  }
  const doc = new PDFDocument(options)
  registerFonts(doc)
  doc.on('pageAdded', writeFoot(doc, foot))
  const root = doc.struct('Document')
  doc.addStructure(root)
  doc.addPage()
  if (letterhead) placeLetterhead(doc, root, letterhead)
  for (const block of blocks) place(doc, root, block, letterhead?.accent ?? 'black')
  root.end()
  doc.end()
  return doc
}
