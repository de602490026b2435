import type { PdfBlock } from './pdf.types.ts'
import type { Line } from './pdf-lines.ts'
import {
  type Doc,
  decorate,
  type Element,
  hasRoom,
  heightOfLines,
  layLines,
  makeRoom,
  margins,
  sizes,
  spoken,
  widthOf,
  writeLines,
} from './pdf-text.ts'

const rowPadding = 3
const between = 6
/** What the line below the head takes. */
const rule = 2

interface Column {
  readonly x: number
  readonly width: number
}

const columnsOf = (doc: Doc, shares: readonly number[]): Column[] => {
  const whole = shares.reduce((sum, share) => sum + share, 0)
  let x = margins.left
  return shares.map((share) => {
    const width = (widthOf(doc) * share) / whole
    const column = { x, width: width - between }
    x += width
    return column
  })
}

interface Row {
  readonly cells: readonly { readonly text: string; readonly lines: readonly Line[] }[]
  readonly height: number
}

/** Rows of one table; none is cut by the end of a page. */
class Rows {
  readonly #doc: Doc
  readonly #columns: readonly Column[]

  constructor(doc: Doc, shares: readonly number[]) {
    this.#doc = doc
    this.#columns = columnsOf(doc, shares)
  }

  row(texts: readonly string[], bold: boolean): Row {
    const cells = this.#columns.map(({ width }, n) => {
      const text = texts[n] ?? ''
      return { text, lines: layLines(this.#doc, text, { size: sizes.small, bold, width }) }
    })
    return { cells, height: Math.max(...cells.map(({ lines }) => heightOfLines(lines))) + rowPadding }
  }

  /** `around` each cell: what it is. */
  place({ cells, height }: Row, around: (text: string, draw: () => void) => void): void {
    const doc = this.#doc
    const { y } = doc
    for (const [n, { x, width }] of this.#columns.entries()) {
      const { text, lines } = cells[n] ?? { text: '', lines: [] }
      around(text, () => {
        doc.x = x
        doc.y = y
        writeLines(doc, lines, { size: sizes.small, width })
      })
    }
    doc.x = margins.left
    doc.y = y + height
  }
}

const line = (doc: Doc): void => {
  const y = doc.y - 1
  decorate(doc, 'Layout', () => {
    doc
      .lineWidth(0.5)
      .moveTo(margins.left, y)
      .lineTo(margins.left + widthOf(doc), y)
      .stroke('black')
  })
  doc.y += rule
}

const heightOfRows = (rows: readonly Row[]): number => rows.reduce((sum, { height }) => sum + height, 0)

/** How many of the rows a page must have room for: the last two stand together, so that none begins a page alone. */
const together = (n: number, of: number): number => (n === of - 2 ? 2 : 1)

/** A table whose head stands on each of its pages, and is read once. */
export const placeTable = (
  doc: Doc,
  root: Element,
  { head, shares, rows }: Extract<PdfBlock, { kind: 'table' }>,
): void => {
  const all = new Rows(doc, shares)
  const table = doc.struct('Table')
  root.add(table)
  const addRow = (row: Row, cell: (text: string, draw: () => void) => Element) => {
    const element = doc.struct('TR')
    table.add(element)
    all.place(row, (text, draw) => void element.add(cell(text, draw)))
    element.end()
  }
  const top = all.row(head, true)
  let ahead = rows.slice(0, 2).map((cells) => all.row(cells, false))
  makeRoom(doc, top.height + rule + heightOfRows(ahead))
  const scope = { scope: 'Column' } as object
  addRow(top, (_text, draw) => doc.struct('TH', scope, draw))
  line(doc)
  for (const n of rows.keys()) {
    const [row, ...rest] = ahead
    if (!row) break
    if (n > 0 && !hasRoom(doc, heightOfRows(ahead.slice(0, together(n, rows.length))))) {
      doc.addPage()
      decorate(doc, 'Pagination', () => all.place(top, (_text, draw) => draw()))
      line(doc)
    }
    addRow(row, (text, draw) => doc.struct('TD', spoken(text), draw))
    const next = rows[n + 2]
    ahead = next ? [...rest, all.row(next, false)] : rest
  }
  table.end()
  doc.y += between
}
