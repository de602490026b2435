import type { PdfBlock } from './pdf.types.ts'
import {
  type Doc,
  decorate,
  type Element,
  hasRoom,
  heightOf,
  makeRoom,
  margins,
  sizes,
  spoken,
  widthOf,
  write,
} from './pdf-text.ts'

const rowPadding = 3
const between = 6

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

/** Rows of one table; none is cut by the end of a page. */
class Rows {
  readonly #doc: Doc
  readonly #columns: readonly Column[]

  constructor(doc: Doc, shares: readonly number[]) {
    this.#doc = doc
    this.#columns = columnsOf(doc, shares)
  }

  heightOf(cells: readonly string[], bold: boolean): number {
    const heights = this.#columns.map(({ width }, n) =>
      heightOf(this.#doc, cells[n] ?? '', { size: sizes.small, bold, width }),
    )
    return Math.max(...heights) + rowPadding
  }

  /** `around` each cell: what it is. */
  place(cells: readonly string[], bold: boolean, around: (text: string, draw: () => void) => void): void {
    const doc = this.#doc
    const height = this.heightOf(cells, bold)
    const { y } = doc
    for (const [n, { x, width }] of this.#columns.entries()) {
      const text = cells[n] ?? ''
      around(text, () => {
        doc.x = x
        doc.y = y
        write(doc, text, { size: sizes.small, bold, width })
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
  doc.y += 2
}

/** A table whose head stands on each of its pages, and is read once. */
export const placeTable = (
  doc: Doc,
  root: Element,
  { head, shares, rows }: Extract<PdfBlock, { kind: 'table' }>,
): void => {
  const all = new Rows(doc, shares)
  const table = doc.struct('Table')
  root.add(table)
  const addRow = (cells: readonly string[], bold: boolean, cell: (text: string, draw: () => void) => Element) => {
    const row = doc.struct('TR')
    table.add(row)
    all.place(cells, bold, (text, draw) => void row.add(cell(text, draw)))
    row.end()
  }
  makeRoom(doc, all.heightOf(head, true) + 40)
  const scope = { scope: 'Column' } as object
  addRow(head, true, (_text, draw) => doc.struct('TH', scope, draw))
  line(doc)
  for (const cells of rows) {
    if (!hasRoom(doc, all.heightOf(cells, false))) {
      doc.addPage()
      decorate(doc, 'Pagination', () => all.place(head, true, (_text, draw) => draw()))
      line(doc)
    }
    addRow(cells, false, (text, draw) => doc.struct('TD', spoken(text), draw))
  }
  table.end()
  doc.y += between
}
