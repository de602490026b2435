/** UAX 14, as pdfkit uses it; it comes without types. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    /** The next place where a line may, or must, end. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}
