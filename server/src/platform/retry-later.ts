/** What somebody else asked for: tried again, but not before so many milliseconds have passed. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater'
  readonly waitMs: number
  constructor(words: string, waitMs: number) {
    super(words)
    this.waitMs = waitMs
  }
}
