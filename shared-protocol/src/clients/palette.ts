import { contrastOf, isDark, readableAccent } from './contrast.ts'
import { coloursIn, pageColours, pageGrounds, phoneColours, phoneGrounds, type Scheme } from './tokens.ts'

/** What an organisation may choose, `#rrggbb`. */
export interface PaletteColours {
  readonly accent: string
  readonly accentText: string
  readonly background: string
  readonly text: string
}

/** Pairs that screens show, each read as text (WCAG 2.2, 1.4.3); a pair is refused under the first one's name. */
export const palettePairs = [
  ['accent', 'accentText', 'accent'],
  ['accent', 'accent', 'background'],
  ['text', 'text', 'background'],
] as const satisfies readonly (readonly [
  named: keyof PaletteColours,
  above: keyof PaletteColours,
  below: keyof PaletteColours,
])[]
export const paletteContrast = 4.5

const paletteNames = ['accent', 'accentText', 'background', 'text'] as const

/** What came as a palette, if every pair of it can be read; else a page looks as the product does. */
const paletteOf = (value: unknown): PaletteColours | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const given = value as Readonly<Record<string, unknown>>
  if (!paletteNames.every((name) => typeof given[name] === 'string' && /^#[0-9a-f]{6}$/i.test(given[name])))
    return undefined
  const palette = Object.fromEntries(
    paletteNames.map((name) => [name, String(given[name]).toLowerCase()]),
  ) as unknown as PaletteColours
  const reads = palettePairs.every(([, above, below]) => contrastOf(palette[above], palette[below]) >= paletteContrast)
  return reads ? palette : undefined
}

/** Colours by the names of a place's own; what is missing stays as it is. */
export type BrandColours = Readonly<Record<string, string>>

/** How a place is painted: `of` a palette, and what is behind the accent where only that is an organisation's own. */
export interface Paint {
  readonly grounds: Readonly<Record<Scheme, string>>
  readonly of: (palette: PaletteColours) => BrandColours
}

/** One ground for everything, so that no pair is shown but those that were looked at; what is between them is moved until it can be read. */
const common = ({ accent, accentText, background, text }: PaletteColours, soft: string, line: string) => ({
  accent,
  onAccent: accentText,
  ground: background,
  surface: background,
  text,
  soft: readableAccent(soft, background) ?? text,
  line: readableAccent(line, background) ?? text,
})

const schemeOf = ({ background }: PaletteColours): Scheme => (isDark(background) ? 'dark' : 'light')

export const pagePaint: Paint = {
  grounds: pageGrounds,
  of: (palette) => {
    const own = coloursIn(pageColours, schemeOf(palette))
    const { background, text } = palette
    const moved = (colour: string): string => readableAccent(colour, background) ?? text
    return {
      ...own,
      ...common(palette, own.soft, own.line),
      notice: background,
      attention: background,
      onRed: background,
      red: moved(own.red),
      green: moved(own.green),
      amber: moved(own.amber),
      attentionLine: moved(own.attentionLine),
    }
  },
}

export const phonePaint: Paint = {
  grounds: phoneGrounds,
  of: (palette) => {
    const own = coloursIn(phoneColours, schemeOf(palette))
    return { ...own, ...common(palette, own.soft, own.line) }
  },
}

/** Which colours of a place are an organisation's own, on a light page and on a dark one. */
export type BrandSchemes = Readonly<Record<Scheme, BrandColours>> & {
  /** Dark whatever is wished for: the organisation's own background is. */
  readonly alwaysDark: boolean
}

/**
 * A palette is shown as it is, but a light one not to somebody who wants dark pages: they see the product's own with the
 * accent on them. The same for an accent alone, which is moved until it can be read. Undefined for neither.
 */
export const brandSchemes = (palette: unknown, accent: unknown, { grounds, of }: Paint): BrandSchemes | undefined => {
  const own = paletteOf(palette)
  const colour = own?.accent ?? accent
  if (typeof colour !== 'string') return undefined
  const [onLight, onDark] = [readableAccent(colour, grounds.light), readableAccent(colour, grounds.dark)]
  if (onLight === undefined || onDark === undefined) return undefined
  if (!own) return { light: { accent: onLight }, dark: { accent: onDark }, alwaysDark: false }
  const painted = of(own)
  const alwaysDark = isDark(own.background)
  return { light: painted, dark: alwaysDark ? painted : { accent: onDark }, alwaysDark }
}
