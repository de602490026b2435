import bidiJs from 'bidi-js'

// Its types are those of its ES module; Node loads the other one, which is the function itself.
const bidi = (bidiJs as unknown as typeof bidiJs.default)()

const rightToLeft = /[\u0590-\u08ff\u200f\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** Fonts are asked to shape such a stretch, and turn it round themselves. */
const shapedBackwards =
  /^[\p{Script=Common}\p{Script=Inherited}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const directions = /[\u200e\u200f\u061c\u2066-\u2069]/g
export const withoutDirections = (text: string): string => text.replace(directions, '')
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Of each UTF-16 unit of one paragraph its embedding level (UAX 9): odd ones go from right to left. */
export interface Levels {
  readonly base: number
  /** Nothing of it goes from right to left. */
  readonly isPlain: boolean
  at(index: number): number
}
const leftToRight: Levels = { base: 0, isPlain: true, at: () => 0 }

/** Whether some of it is written from right to left. */
const hasRightToLeft = (text: string): boolean => rightToLeft.test(text)

/** A picture is no letter; the algorithm reads halves of it. */
const withoutPairs = (text: string): string =>
  text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, (pair) => (/\p{L}/u.test(pair) ? pair : '**'))

/** Levels of a paragraph, whose direction is that of its first strong letter. */
export const levelsOf = (paragraph: string): Levels => {
  if (!hasRightToLeft(paragraph)) return leftToRight
  const { levels, paragraphs } = bidi.getEmbeddingLevels(withoutPairs(paragraph))
  return { base: paragraphs[0]?.level ?? 0, isPlain: false, at: (index) => levels[index] ?? 0 }
}

/** The pieces of a line from left to right (UAX 9, rule L2). */
export const inVisualOrder = <T extends { readonly level: number }>(line: readonly T[]): T[] => {
  const pieces = [...line]
  const highest = Math.max(0, ...pieces.map(({ level }) => level))
  for (let level = highest; level > 0; level -= 1)
    for (let from = 0; from < pieces.length; from += 1) {
      let to = from
      while (to < pieces.length && (pieces[to] as T).level >= level) to += 1
      pieces.splice(from, to - from, ...pieces.slice(from, to).reverse())
      from = to
    }
  return pieces
}

const turned = (text: string): string =>
  Array.from(graphemes.segment(text), ({ segment }) => segment)
    .reverse()
    .join('')

/** The glyph for a bracket that is read from right to left (rule L4); undefined for all that has no other side. */
export const mirrorOf = (character: string): string | undefined => bidi.getMirroredCharacter(character) ?? undefined

/** How a stretch of one level is given to a font, so that its glyphs stand as they are read. */
export const forFont = (text: string, level: number): string => {
  const words = withoutDirections(text)
  return shapedBackwards.test(words) === (level % 2 === 1) ? words : turned(words)
}

/** Whoever's words these are: their direction ends with them. Directions that are forced within are left out. */
export const isolated = (text: string): string =>
  hasRightToLeft(text) ? `\u2068${withoutDirections(text)}\u2069` : text
