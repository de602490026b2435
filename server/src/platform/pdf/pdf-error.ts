import { CodedError } from '../coded-error.ts'

export type PdfErrorCode =
  /** Too much is waiting to be rendered. */
  | 'busy'
  /** It took too long, or became too large. */
  | 'too_long'
  /** The process that renders ended by itself. */
  | 'process_ended'

/** Why there is no PDF. */
export class PdfError extends CodedError<PdfErrorCode> {
  override readonly name = 'PdfError'
}
