import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Embedded in part; a server has no fonts, and the same words look the same everywhere. */
const files = {
  sans: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  'sans-bold': 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  devanagari: '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
  'devanagari-bold': '@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf',
  bengali: '@expo-google-fonts/noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf',
  'bengali-bold': '@expo-google-fonts/noto-sans-bengali/700Bold/NotoSansBengali_700Bold.ttf',
  tamil: '@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf',
  'tamil-bold': '@expo-google-fonts/noto-sans-tamil/700Bold/NotoSansTamil_700Bold.ttf',
  telugu: '@expo-google-fonts/noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf',
  'telugu-bold': '@expo-google-fonts/noto-sans-telugu/700Bold/NotoSansTelugu_700Bold.ttf',
  arabic: '@expo-google-fonts/vazirmatn/400Regular/Vazirmatn_400Regular.ttf',
  'arabic-bold': '@expo-google-fonts/vazirmatn/700Bold/Vazirmatn_700Bold.ttf',
} as const
export type PdfFont = keyof typeof files
type Family = 'sans' | 'arabic' | 'devanagari' | 'bengali' | 'tamil' | 'telugu'

/** First and last code point of what a font beside the usual one sets. */
const blocks: readonly (readonly [number, number, Family])[] = [
  [0x0600, 0x06ff, 'arabic'],
  [0x0750, 0x077f, 'arabic'],
  [0x08a0, 0x08ff, 'arabic'],
  [0x0900, 0x097f, 'devanagari'],
  [0x0980, 0x09ff, 'bengali'],
  [0x0b80, 0x0bff, 'tamil'],
  [0x0c00, 0x0c7f, 'telugu'],
  [0x1cd0, 0x1cff, 'devanagari'],
  [0xa8e0, 0xa8ff, 'devanagari'],
  [0xfb50, 0xfdff, 'arabic'],
  [0xfe70, 0xfefe, 'arabic'],
]

export const registerFonts = (document: PDFKit.PDFDocument): void => {
  for (const [name, file] of Object.entries(files)) document.registerFont(name, require.resolve(file))
}

/** Letters of these scripts are drawn smaller than Latin ones of the same size. */
export const scaleOf = (font: PdfFont): number => (/^(?:sans|arabic)/.test(font) ? 1 : 1.15)

/** Whether some of its letters are drawn in another order than they are written. */
export const isReordered = (font: PdfFont): boolean => !/^(?:sans|arabic)/.test(font)

/** A font as pdfkit has opened it, which its types do not show. Measures are thousandths of its size. */
interface Opened {
  readonly id: string
  readonly ascender: number
  readonly descender: number
  readonly lineGap: number
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean }
  ref(): unknown
  /** Glyphs from left to right, each as hexadecimal digits, and where they stand. */
  encode(text: string, features?: readonly never[]): [readonly string[], readonly GlyphPosition[]]
}
interface GlyphPosition {
  readonly xAdvance: number
  readonly advanceWidth: number
  readonly xOffset: number
  readonly yOffset: number
}

export const openedFont = (document: PDFKit.PDFDocument, font: PdfFont): Opened =>
  (document.font(font) as unknown as { readonly _font: Opened })._font

export interface Run {
  readonly text: string
  readonly font: PdfFont
  /** No font has it: a box stands in its place. */
  readonly unset?: true
}

/** Characters that are drawn as nothing, or end a page; a joiner and what isolates a direction have their work to do. */
const unprintable = /[^\P{C}\n\u200b-\u200f\u061c\u2066-\u2069]/gu

/** A text as it can be set: one kind of end of line, no tabs, no control characters. */
export const settable = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(unprintable, '')

const plain = /^[\n -~\u00a0-\u017f\u0400-\u045f–—‘’“”…·₹]*$/
/** Goes with the letter before it: blanks, joiners, marks. */
const follows = /^[\s\p{M}\u200b-\u200f\u061c\u2066-\u2069]$/u

const familyOf = (codePoint: number): Family =>
  codePoint < 0x0600 ? 'sans' : (blocks.find(([from, to]) => codePoint >= from && codePoint <= to)?.[2] ?? 'sans')

/** A settable text in stretches of one font each; `covers` tells whether a font has a character. */
export const runsOf = (
  text: string,
  bold: boolean,
  covers: (font: PdfFont, codePoint: number) => boolean,
): readonly Run[] => {
  const dressed = (family: Family): PdfFont => (bold ? `${family}-bold` : family)
  if (plain.test(text)) return text === '' ? [] : [{ text, font: dressed('sans') }]
  const runs: { text: string; font: PdfFont; unset?: true }[] = []
  for (const character of text) {
    const last = runs.at(-1)
    const codePoint = character.codePointAt(0) ?? 0
    if (last && follows.test(character) && (!last.unset || !/\s/.test(character))) {
      last.text += character
      continue
    }
    const wanted = [dressed(familyOf(codePoint)), dressed('sans')]
    const found = follows.test(character) ? wanted[0] : wanted.find((font) => covers(font, codePoint))
    const font = found ?? dressed('sans')
    const unset = found === undefined
    if (last && last.font === font && (last.unset ?? false) === unset) last.text += character
    else runs.push({ text: character, font, ...(unset && { unset }) })
  }
  return runs
}
