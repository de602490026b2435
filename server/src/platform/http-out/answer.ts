/** Bytes of an answer that are read at all; the rest is never fetched. */
const maxAnswerBytes = 64 * 1024
/** Bytes of an answer that are kept. */
const excerptBytes = 1024

/** Control characters (NUL cannot be stored in Postgres) and marks that turn the reading direction of a log page. */
const unsafe = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

/** UTF-8 text of the first bytes: a character cut at the end is left out, what is not text becomes U+FFFD. */
export const excerptOf = (kept: readonly Buffer[]): string =>
  kept.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(kept), { stream: true }).replace(unsafe, '\ufffd')

/** What is kept of an answer that comes in pieces: its first 1 KiB. */
export class AnswerStart {
  readonly #kept: Buffer[] = []
  #read = 0

  /** Takes the next piece; whether so much has come that the rest is not fetched. */
  isEnough(chunk: Buffer): boolean {
    if (this.#read < excerptBytes) this.#kept.push(chunk.subarray(0, excerptBytes - this.#read))
    this.#read += chunk.length
    return this.#read > maxAnswerBytes
  }

  excerpt(): string {
    return excerptOf(this.#kept)
  }
}
