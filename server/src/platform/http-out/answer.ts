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

/** Milliseconds to wait from a Retry-After header (RFC 9110 section 10.2.3: seconds or HTTP-date), never negative. */
export const retryAfterMs = (header: string | string[] | undefined, now: number): number | undefined => {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // All three HTTP-date forms begin with a day's name; Date.parse alone would take many other texts.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined
  const at = Date.parse(/GMT$/.test(text) ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
