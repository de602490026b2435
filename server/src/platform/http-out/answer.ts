import type { Readable } from 'node:stream'

/** Bytes of an answer that are read at all; the rest is never fetched. */
const maxAnswerBytes = 64 * 1024
/** Bytes of an answer that are kept. */
const excerptBytes = 1024

/** Reads at most 64 KiB, keeps the first 1 KiB in `kept`; leaving the loop early destroys the body and its socket. */
export const readStart = async (body: Readable, kept: Buffer[]): Promise<void> => {
  let read = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < excerptBytes) kept.push(chunk.subarray(0, excerptBytes - read))
    read += chunk.length
    if (read > maxAnswerBytes) break
  }
}

/** Control characters (NUL cannot be stored in Postgres) and marks that turn the reading direction of a log page. */
const unsafe = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

/** UTF-8 text of the first bytes: a character cut at the end is left out, what is not text becomes U+FFFD. */
export const excerptOf = (kept: readonly Buffer[]): string =>
  kept.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(kept), { stream: true }).replace(unsafe, '\ufffd')
