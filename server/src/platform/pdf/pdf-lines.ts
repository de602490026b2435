import LineBreaker from 'linebreak'
import { forFont, inVisualOrder, type Levels, levelsOf, mirrorOf, withoutDirections } from './pdf-bidi.ts'
import { isReordered, openedFont, type PdfFont, type Run, runsOf, scaleOf, settable } from './pdf-fonts.ts'
import { featuresOf, type Piece } from './pdf-glyphs.ts'

type Doc = PDFKit.PDFDocument

export interface LineStyle {
  readonly size: number
  readonly bold: boolean
  readonly width: number
}

/** Its pieces stand from left to right. */
export interface Line {
  readonly pieces: readonly Piece[]
  readonly width: number
  /** From its top to its letters' feet. */
  readonly ascent: number
  readonly height: number
  readonly isRightToLeft: boolean
}

interface Span {
  readonly from: number
  readonly to: number
}
interface Placed extends Span {
  readonly run: Run
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const box = '\u25a1'
/** A box for each character that no font has. */
const boxes = (text: string): string => box.repeat([...graphemes.segment(text)].length)

const runsIn = (doc: Doc, text: string, bold: boolean): readonly Run[] =>
  runsOf(text, bold, (font: PdfFont, codePoint) => openedFont(doc, font).font.hasGlyphForCodePoint(codePoint))

/** The characters that no font has. */
export const unsetIn = (doc: Doc, text: string): string =>
  runsIn(doc, settable(text), false)
    .filter(({ unset }) => unset)
    .map((run) => run.text)
    .join('')

/** One paragraph on its way to lines. */
class Paragraph {
  readonly #doc: Doc
  readonly #style: LineStyle
  readonly #text: string
  readonly #runs: readonly Placed[]
  readonly #levels: Levels

  constructor(doc: Doc, text: string, style: LineStyle) {
    this.#doc = doc
    this.#style = style
    this.#text = text
    this.#levels = levelsOf(text)
    let from = 0
    this.#runs = runsIn(doc, text, style.bold).map((run) => {
      const placed = { run, from, to: from + run.text.length }
      from = placed.to
      return placed
    })
  }

  lines(): Line[] {
    const spans = [...this.#spans()]
    return (spans.length > 0 ? spans : [{ from: 0, to: 0 }]).map((span) => this.#line(span))
  }

  /** Where each line begins and ends, filled as far as it goes. */
  *#spans(): Generator<Span> {
    const { width } = this.#style
    const whole = { from: 0, to: this.#text.length }
    if (this.#widthOf(whole) <= width) return yield whole
    let from = 0
    let to = 0
    let filled = 0
    for (const word of this.#words()) {
      const own = this.#widthOf({ from: word.from, to: this.#trimmed(word) })
      if (filled + own > width && to > from) {
        yield { from, to }
        from = word.from
        filled = 0
      }
      if (own > width)
        for (const cut of this.#cut(word)) {
          yield { from, to: cut }
          from = cut
        }
      to = word.to
      filled += from > word.from ? this.#widthOf({ from, to }) : this.#widthOf(word)
    }
    if (to > from) yield { from, to }
  }

  *#words(): Generator<Span> {
    const breaker = new LineBreaker(this.#text)
    let from = 0
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
      yield { from, to: next.position }
      from = next.position
    }
    if (from < this.#text.length) yield { from, to: this.#text.length }
  }

  /** Where a word that is longer than a line must be cut. */
  *#cut({ from, to }: Span): Generator<number> {
    let filled = 0
    for (const { index, segment } of graphemes.segment(this.#text.slice(from, to))) {
      const own = this.#widthOf({ from: from + index, to: from + index + segment.length })
      if (filled + own > this.#style.width && filled > 0) {
        yield from + index
        filled = 0
      }
      filled += own
    }
  }

  #trimmed({ from, to }: Span): number {
    return from + this.#text.slice(from, to).trimEnd().length
  }

  /** A span's stretches of one font and one level, as they are written; what is mirrored stands alone. */
  *#pieces({ from, to }: Span): Generator<Piece> {
    for (const placed of this.#runs) {
      const end = Math.min(to, placed.to)
      let start = Math.max(from, placed.from)
      while (start < end) {
        const level = this.#levels.at(start)
        const isMirrored = (index: number) => level % 2 === 1 && mirrorOf(this.#text[index] ?? '') !== undefined
        let next = start + 1
        if (!isMirrored(start)) while (next < end && this.#levels.at(next) === level && !isMirrored(next)) next += 1
        yield this.#piece(this.#text.slice(start, next), placed.run, level)
        start = next
      }
    }
  }

  #piece(text: string, { font, unset }: Run, level: number): Piece {
    const written = withoutDirections(text)
    const mirror = level % 2 === 1 ? mirrorOf(written) : undefined
    const drawn = unset ? boxes(written) : (mirror ?? forFont(written, level))
    const isOtherwise = unset || mirror !== undefined || isReordered(font)
    const size = this.#style.size * scaleOf(font)
    const width = this.#doc.font(font).fontSize(size).widthOfString(drawn, featuresOf(level))
    return { drawn, font, size, level, width, ...(isOtherwise && { actual: written }), ...(unset && { unset }) }
  }

  #widthOf(span: Span): number {
    const [only] = this.#runs
    if (this.#runs.length === 1 && only && !only.run.unset && this.#levels.isPlain) {
      const { font } = only.run
      const size = this.#style.size * scaleOf(font)
      return this.#doc.font(font).fontSize(size).widthOfString(this.#text.slice(span.from, span.to))
    }
    let sum = 0
    for (const { width } of this.#pieces(span)) sum += width
    return sum
  }

  #line({ from, to }: Span): Line {
    const pieces = inVisualOrder([...this.#pieces({ from, to: this.#trimmed({ from, to }) })])
    const usual = { font: this.#style.bold ? ('sans-bold' as const) : ('sans' as const), size: this.#style.size }
    let [ascent, below] = [0, 0]
    for (const { font, size } of [usual, ...pieces]) {
      const { ascender, descender, lineGap } = openedFont(this.#doc, font)
      ascent = Math.max(ascent, (ascender * size) / 1000)
      below = Math.max(below, ((lineGap - descender) * size) / 1000)
    }
    const width = pieces.reduce((sum, piece) => sum + piece.width, 0)
    return { pieces, width, ascent, height: ascent + below, isRightToLeft: this.#levels.base % 2 === 1 }
  }
}

/** A text as lines that are no wider than told. */
export const linesOf = (doc: Doc, text: string, style: LineStyle): Line[] =>
  settable(text)
    .split('\n')
    .flatMap((paragraph) => new Paragraph(doc, paragraph, style).lines())
