import { describe, expect, it } from 'vitest'
import { aDocument, canReadPdf, pdfOf, readPdf } from './pdf.test-support.ts'
import { forFont, inVisualOrder, isolated, levelsOf, mirrorOf } from './pdf-bidi.ts'
import { settable } from './pdf-fonts.ts'

/** The characters from left to right, brackets as they are drawn. */
const drawn = (text: string): string => {
  const levels = levelsOf(text)
  const characters = Array.from(text, (character, n) => ({ character, level: levels.at(n) }))
  return inVisualOrder(characters)
    .map(({ character, level }) => (level % 2 === 1 ? (mirrorOf(character) ?? character) : character))
    .join('')
    .replace(/[\u2066-\u2069]/g, '')
}
const pageOf = async (text: string, times: number) =>
  readPdf(
    await pdfOf(
      aDocument(
        Array.from({ length: times }, () => ({ kind: 'paragraph' as const, text })),
        { foot: [] },
      ),
    ),
  )
/** What poppler puts around stretches of a direction. */
const embeddings = /[\u202a-\u202e]/g

describe('the order of letters on a line (UAX 9)', () => {
  it.each([
    ['left to right, then Hebrew, then a number', 'a אב 12', 'a 12 בא'],
    ['a number inside Arabic', 'ابج 123 دهو', 'وهد 123 جبا'],
    ['digits that Urdu writes, from left to right', 'اب ۱۲۳', '۱۲۳ با'],
    ['brackets, which face what they enclose', 'אב (גד) ה', 'ה (דג) בא'],
    ['Latin inside brackets of Hebrew', 'אב [ok]', '[ok] בא'],
    ['a sign at the end', 'אב!', '!בא'],
    [
      'a name from right to left inside an English sentence',
      `By ${isolated('אב')} (reviewer), 14:30`,
      'By בא (reviewer), 14:30',
    ],
    [
      'an English sentence that begins with such a name',
      `${isolated('אב (ג)')} (owner), 14:30`,
      '(ג) בא (owner), 14:30',
    ],
    ['a picture between words', 'אב 😀 גד', 'דג 😀 בא'],
  ])('%s', (_what, written, seen) => {
    expect(drawn(written).normalize()).toBe(seen)
  })

  it('is not turned by signs that force a direction, and not by another text beside it', () => {
    expect(settable('a\u202eb\u202d')).toBe('ab')
    expect(isolated('אב\u2069\u2069')).toBe('\u2068אב\u2069')
    expect(isolated('plain')).toBe('plain')
  })

  it('leaves to the font what the font turns round, and turns the rest', () => {
    expect(forFont('אב', 1)).toBe('אב')
    expect(forFont('!?', 1)).toBe('?!')
    expect(forFont('۱۲۳', 2)).toBe('۳۲۱')
    expect(forFont('abc', 0)).toBe('abc')
  })
})

describe.skipIf(!canReadPdf)('a text from right to left, read by another program', () => {
  const read = [
    ['Arabic', 'محمد بن عبد الله قال مرحبا 123 في المقابلة'],
    ['Hebrew', 'שלום (עולם) 45 ועוד'],
    ['Urdu', 'اردو میں ٹیسٹ گفتگو ہے ۱۲۳'],
  ]
  it.each(read)('%s has its letters, brackets and numbers in the order of writing', async (_language, text) => {
    const { text: found, checked } = await pageOf(text, 8)
    // Where a number stands, poppler puts both blanks on one side of it.
    const lines = found.split('\n').map((line) => line.replace(embeddings, ' ').trim().replace(/\s+/g, ' '))
    expect(checked).toContain('No syntax or stream encoding errors found')
    expect(lines.filter((line) => line === text)).toHaveLength(8)
  })

  it.each([
    ...read,
    ['Persian', 'سلام؛ مصاحبه (ساعت ۱۴:۳۰) تمام شد.'],
    ['Hebrew with Latin in brackets', 'אב [ok] גד (12)'],
  ])('%s is spoken as it was written', async (_language, text) => {
    const hex = Buffer.from(text, 'utf16le').swap16().toString('hex')
    expect((await pageOf(text, 1)).objects).toContain(`/ActualText <feff${hex}>`)
  })

  it('stands at the right, its words from right to left', async () => {
    const { words } = await pageOf('שלום עולם ועוד', 1)
    // Boxes hold what is drawn, from left to right.
    const turned = ['שלום', 'עולם', 'ועוד'].map((word) => Array.from(word).reverse().join(''))
    const [first, second, third] = turned.map((word) => words.find(({ text }) => text === word))
    expect(first?.xMax).toBeGreaterThan(535)
    expect(first?.xMin).toBeGreaterThan(second?.xMax ?? Number.NaN)
    expect(second?.xMin).toBeGreaterThan(third?.xMax ?? Number.NaN)
  })

  it('is wrapped in the order of its words', async () => {
    const numbered = Array.from({ length: 60 }, (_word, n) => `שלום ${n}`).join(' ')
    const { words } = await pageOf(numbered, 1)
    const numbers = words.filter(({ text }) => /^\d+$/.test(text))
    const read = numbers.toSorted((a, b) => a.yMin - b.yMin || b.xMin - a.xMin).map(({ text }) => Number(text))
    expect(read.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_word, n) => n))
  })
})
