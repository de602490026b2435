import { openedFont, type PdfFont } from './pdf-fonts.ts'

type Doc = PDFKit.PDFDocument

/** What is drawn at once: one font, one direction. */
export interface Piece {
  /** As the font takes it. */
  readonly drawn: string
  readonly font: PdfFont
  readonly size: number
  readonly level: number
  readonly width: number
  /** Its letters, where the glyphs do not tell: no font has them, or they are drawn in another order or mirrored. */
  readonly actual?: string
  readonly unset?: true
}

/**
 * Stretches that go from right to left are shaped as a whole, not word by word, and without ligatures but those that the
 * script demands: programs that read a page turn round the letters of one glyph, too.
 */
export const featuresOf = (level: number): { features?: never[] } =>
  level === 0 ? {} : { features: { liga: false, dlig: false } as unknown as never[] }

/** As many digits as a page needs. */
const digits = (n: number): string => String(Math.round(n * 1000) / 1000)

/** Glyphs from a place on, with the moves that marks and kerning ask for. */
const shown = (doc: Doc, { drawn, font, size, level }: Piece, from: number, y: number): string[] => {
  const [glyphs, positions] = openedFont(doc, font).encode(drawn, featuresOf(level).features)
  const place = (x: number, dy = 0) => `1 0 0 1 ${digits(x)} ${digits(y + dy)} Tm`
  const content = [place(from)]
  let x = from
  let isMoved = false
  for (const [n, { xAdvance, advanceWidth, xOffset, yOffset }] of positions.entries()) {
    const own = xOffset !== 0 || yOffset !== 0
    if (own) content.push(place(x + (xOffset * size) / 1000, (yOffset * size) / 1000))
    else if (isMoved) content.push(place(x))
    const more = own ? 0 : xAdvance - advanceWidth
    content.push(more === 0 ? `<${glyphs[n]}> Tj` : `[<${glyphs[n]}> ${digits(-more)}] TJ`)
    x += (xAdvance * size) / 1000
    isMoved = own
  }
  return joined(content)
}

/** Neighbours that only show glyphs as one. */
const joined = (content: readonly string[]): string[] => {
  const all: string[] = []
  for (const one of content) {
    const last = all.at(-1)
    if (one.endsWith('> Tj') && last?.endsWith('> Tj')) all[all.length - 1] = `${last.slice(0, -4)}${one.slice(1)}`
    else all.push(one)
  }
  return all
}

/**
 * Draws a piece with its letters' feet at `y`. pdfkit's own `text` ends its change of coordinates before what marks the text
 * ends, and programs then look for the marked letters at another place.
 */
export const showPiece = (doc: Doc, piece: Piece, x: number, y: number): void => {
  const { font, size, actual } = piece
  const opened = openedFont(doc, font)
  const page = doc.page as unknown as { readonly fonts: Record<string, unknown>; readonly height: number }
  page.fonts[opened.id] ??= opened.ref()
  doc.save()
  doc.transform(1, 0, 0, -1, 0, page.height)
  if (actual !== undefined) doc.markContent('Span', { actual } as object)
  const content = ['BT', `/${opened.id} ${digits(size)} Tf`, ...shown(doc, piece, x, page.height - y), 'ET']
  doc.addContent(content.join('\n'))
  if (actual !== undefined) doc.endMarkedContent()
  doc.restore()
}
