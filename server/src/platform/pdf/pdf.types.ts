/** A stretch of a strip, from 0 to 1. */
interface Stretch {
  readonly from: number
  readonly to: number
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
  /** A bar of equal parts, each filled by so many percent, and stretches of it that are framed. */
  | {
      readonly kind: 'strip'
      readonly label: string
      readonly alt: string
      readonly parts: readonly number[]
      readonly framed: readonly Stretch[]
    }

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
