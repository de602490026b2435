import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Embedded in part; a server has no fonts, and the same words look the same everywhere. */
const files = {
  sans: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  'sans-bold': 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  devanagari: '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
  'devanagari-bold': '@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf',
} as const
export type PdfFont = keyof typeof files

export const registerFonts = (document: PDFKit.PDFDocument): void => {
  for (const [name, file] of Object.entries(files)) document.registerFont(name, require.resolve(file))
}

/** Devanagari letters are drawn smaller than Latin ones of the same size. */
export const scaleOf = (font: PdfFont): number => (font.startsWith('devanagari') ? 1.15 : 1)

export interface Run {
  readonly text: string
  readonly font: PdfFont
}

/** Devanagari, with the joiners and the blanks inside it. */
const devanagari =
  /([\u0900-\u097f\u1cd0-\u1cff\ua8e0-\ua8ff](?:[\u0900-\u097f\u1cd0-\u1cff\ua8e0-\ua8ff\u200b-\u200d]| (?=[\u0900-\u097f]))*)/

/** Whether some of it is drawn in another order than it is written. */
export const hasReordered = (text: string): boolean => devanagari.test(text)

/** Characters that are drawn as nothing, or end a page. */
const unprintable = /[^\P{C}\n\u200c\u200d]/gu

const endless = /\S{41,}/g
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** A word without end may be broken here and there: finding by trial where it fits takes as long as it is long, squared. */
const breakable = (word: string): string =>
  Array.from(graphemes.segment(word), ({ segment }, n) => (n > 0 && n % 30 === 0 ? `\u200b${segment}` : segment)).join(
    '',
  )

/** A text in stretches of one font each. */
export const runsOf = (text: string, bold: boolean): Run[] =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(unprintable, '')
    .replace(endless, breakable)
    .split(devanagari)
    .map((piece, n): Run => {
      const font = n % 2 === 1 ? 'devanagari' : 'sans'
      return { text: piece, font: bold ? `${font}-bold` : font }
    })
    .filter((run) => run.text !== '')
