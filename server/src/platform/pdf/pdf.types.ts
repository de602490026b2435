/** How a stretch of a strip looks: full, an empty frame, light, crossed by lines, or a line alone. */
export type StripLook = 'filled' | 'framed' | 'pale' | 'hatched' | 'line'
/** From 0 to 1. */
export interface StripStretch {
  readonly from: number
  readonly to: number
  readonly look: StripLook
}

/** What stands on the pages, from top to bottom. */
export type PdfBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string; readonly quiet?: true }
  /** Columns are as wide as their shares. The head is repeated on each page. */
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly shares: readonly number[]
      readonly rows: readonly (readonly string[])[]
    }
  /** A bar whose stretches neither overlap nor leave anything out. */
  | {
      readonly kind: 'strip'
      readonly label: string
      readonly alt: string
      readonly stretches: readonly StripStretch[]
    }
  /** What the looks of strips say. */
  | { readonly kind: 'legend'; readonly entries: readonly { readonly look: StripLook; readonly text: string }[] }

/** Whose document it is, above its first page. */
export interface Letterhead {
  readonly name: string
  /** `#rrggbb`, readable on white: headings, and the line below the name. */
  readonly accent: string
  /** PNG, base64; its size is in points. */
  readonly logo?: { readonly png: string; readonly width: number; readonly height: number }
}

export interface PdfDocument {
  readonly title: string
  /** BCP 47. */
  readonly language: string
  /** Epoch milliseconds; all that the file says of the time it was made. */
  readonly createdAt: number
  /** At the foot of every page, before its number. */
  readonly foot: readonly string[]
  /** Where else its texts can be read, as a sentence, for those that no font here has. */
  readonly elsewhere?: string
  readonly letterhead?: Letterhead
  readonly blocks: readonly PdfBlock[]
}
