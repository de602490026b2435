import { isIP } from 'node:net'
import { type Dispatcher, request } from 'undici'
import { DownloadError } from './download-errors.ts'

export interface PartRequest {
  readonly url: string
  /** Bytes that are there already, with the strong ETag of the file they are from. */
  readonly from: number
  readonly etag: string | undefined
  readonly signal: AbortSignal
  readonly dispatcher?: Dispatcher
}

export interface PartAnswer {
  /** Where `body` begins: `from`, or 0 when the server sends the whole file. */
  readonly offset: number
  /** Size of the whole file as the server sees it; undefined when it does not say. */
  readonly total: number | undefined
  readonly etag: string | undefined
  readonly body: Dispatcher.ResponseData['body']
}

const maxRedirects = 5
const headersTimeoutMs = 30_000
/** Without a single byte for so long, the connection counts as lost. */
const idleTimeoutMs = 60_000

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

/** https anywhere; http on this very computer only. Throws DownloadError (not_allowed). */
export const allowedUrl = (text: string, base?: string): URL => {
  const url = URL.parse(text, base)
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!url || !allowed) throw new DownloadError('not_allowed', 'The update is not offered over a secure connection.')
  return url
}

const header = (headers: Dispatcher.ResponseData['headers'], name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

const unavailable = (message: string, cause?: unknown): DownloadError =>
  new DownloadError('unavailable', message, cause)

/** Drops an answer nobody reads; its connection is closed with it. */
const drop = (body: Dispatcher.ResponseData['body']): void => {
  body.on('error', () => undefined).destroy()
}

const send = async (url: URL, { from, etag, signal, dispatcher }: PartRequest): Promise<Dispatcher.ResponseData> => {
  // Ranges count the file's own bytes, so it must not come compressed.
  const headers: Record<string, string> = { 'accept-encoding': 'identity' }
  if (from > 0 && etag !== undefined) {
    headers['range'] = `bytes=${from}-`
    headers['if-range'] = etag
  }
  const timeouts = { headersTimeout: headersTimeoutMs, bodyTimeout: idleTimeoutMs }
  try {
    return await request(url, { headers, signal, ...timeouts, ...(dispatcher ? { dispatcher } : {}) })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw unavailable('The update could not be fetched just now.', error)
  }
}

/** Strong validators alone can tell that two ranges are of one file (RFC 9110, section 13.1.5). */
const strongEtag = (etag: string | undefined): string | undefined => (etag?.startsWith('"') ? etag : undefined)

const sizeOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

const readAnswer = (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  from: number,
): PartAnswer | 'no_such_range' => {
  const etag = strongEtag(header(headers, 'etag'))
  if ((header(headers, 'content-encoding') ?? 'identity') === 'identity') {
    if (statusCode === 200) return { offset: 0, total: sizeOf(header(headers, 'content-length')), etag, body }
    const range = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(header(headers, 'content-range') ?? '')
    if (statusCode === 206 && range && Number(range[1]) === from)
      return { offset: from, total: sizeOf(range[2]), etag, body }
  }
  drop(body)
  if (statusCode === 206 || statusCode === 416) return 'no_such_range'
  throw unavailable(`The update could not be fetched just now (the server answered ${statusCode}).`)
}

/**
 * Asks for a file from byte `from` on, following redirects to allowed addresses. The server may send the whole file
 * instead, or have no such range. Throws DownloadError (unavailable, not_allowed), or the signal's reason.
 */
export const fetchPart = async (part: PartRequest): Promise<PartAnswer | 'no_such_range'> => {
  let url = allowedUrl(part.url)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await send(url, part)
    const location = header(response.headers, 'location')
    if (![301, 302, 303, 307, 308].includes(response.statusCode) || location === undefined)
      return readAnswer(response, part.from)
    drop(response.body)
    url = allowedUrl(location, url.href)
  }
  throw unavailable('The update could not be fetched just now (too many redirects).')
}
