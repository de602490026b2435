/** A language that a page is written in. `code` is BCP 47. */
export interface Language<Text extends string> {
  readonly code: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Readonly<Record<Text, string>>
}
