/** A failure that callers tell apart by its code; the message is for people. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code
  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
