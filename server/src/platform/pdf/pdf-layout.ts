import PDFDocument from 'pdfkit'
import type { PdfBlock, PdfDocument } from './pdf.types.ts'
import { registerFonts } from './pdf-fonts.ts'
import { placeLetterhead } from './pdf-letterhead.ts'
import { unsetIn } from './pdf-lines.ts'
import { scriptsOf } from './pdf-scripts.ts'
import { placeLegend, placeStrip } from './pdf-strip.ts'
import { placeTable } from './pdf-table.ts'
import { type Doc, decorate, type Element, heightOf, makeRoom, margins, sizes, spoken, write } from './pdf-text.ts'

type Placers = {
  readonly [K in PdfBlock['kind']]: (
    doc: Doc,
    root: Element,
    block: Extract<PdfBlock, { kind: K }>,
    accent: string,
  ) => void
}

const headings = { 1: 18, 2: 12 } as const

/** Below the text of every page, once it is known how many there are. */
const writeFeet = (doc: Doc, foot: readonly string[]): void => {
  const { start, count } = doc.bufferedPageRange()
  for (let n = 0; n < count; n += 1) {
    doc.switchToPage(start + n)
    const lines = [...foot.slice(0, -1), `${foot.at(-1) ?? ''}  ·  Page ${n + 1} of ${count}`]
    // Nothing here may begin another page.
    doc.page.margins.bottom = 0
    doc.x = margins.left
    doc.y = doc.page.height - margins.bottom + 18
    decorate(doc, 'Pagination', () => {
      for (const line of lines) write(doc, line, { size: sizes.small })
    })
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
  strip: placeStrip,
  legend: placeLegend,
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

const textsOf = (block: PdfBlock): readonly string[] => {
  if (block.kind === 'table') return [...block.head, ...block.rows.flat()]
  if (block.kind === 'legend') return block.entries.map(({ text }) => text)
  return [block.kind === 'strip' ? block.label : block.text]
}

/** Below what holds characters that no font here has: which, and where to read them. */
const placeUnset = (doc: Doc, root: Element, texts: readonly string[], elsewhere: string): void => {
  const unset = texts.map((text) => unsetIn(doc, text)).join('')
  if (unset === '') return
  const text = `Characters that no font of this document has (${scriptsOf(unset).join(', ')}) stand above as boxes. ${elsewhere}`
  placers.paragraph(doc, root, { kind: 'paragraph', text, quiet: true }, '')
  doc.y += 3
}

/** A tagged PDF (PDF/UA-1) with its fonts embedded. The same document gives the same bytes. */
export const layOut = (document: PdfDocument): Doc => {
  const { title, language, createdAt, foot, letterhead, blocks, elsewhere = '' } = document
  const info = { Title: title, Producer: 'pdfkit', Creator: 'interview-integrity', CreationDate: new Date(createdAt) }
  const options: object = {
    size: 'A4',
    margins,
    autoFirstPage: false,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang: language,
    displayTitle: true,
    font: null,
    info,
    bufferPages: true,
  }
  const doc = new PDFDocument(options)
  registerFonts(doc)
  const root = doc.struct('Document')
  doc.addStructure(root)
  doc.addPage()
  if (letterhead) {
    placeLetterhead(doc, root, letterhead)
    placeUnset(doc, root, [letterhead.name], '')
  }
  for (const block of blocks) {
    place(doc, root, block, letterhead?.accent ?? 'black')
    placeUnset(doc, root, textsOf(block), elsewhere)
  }
  root.end()
  writeFeet(doc, foot)
  doc.end()
  return doc
}
