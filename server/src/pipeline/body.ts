import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { bodyLimitOf, type EndpointSpec, mediaTypeOf, ServiceError } from '@integrity/protocol'
import type { Limits } from '../kernel/config.ts'
import { decodeBase64 } from '../platform/base64.ts'
import { rememberSha256 } from '../platform/crypto/known-sha256.ts'
import { releaseMemory } from '../platform/release-memory.ts'
import { jsonHash } from './request-hash.ts'
import { withoutHalves } from './surrogates.ts'

/** What is announced is not yet there: only so much is set aside for it before it comes. */
const announcedBytes = 65_536

const tooLarge = (limit: number) =>
  new ServiceError('invalid_request', `the body is larger than ${limit} bytes`, {
    status: 413,
    headers: { Connection: 'close' },
  })
const tooSlow = () =>
  new ServiceError('invalid_request', 'the body came too slowly', { status: 408, headers: { Connection: 'close' } })
const unsupported = (accepted: readonly string[]) =>
  new ServiceError('invalid_request', `the content type must be one of ${accepted.join(', ')}`, { status: 415 })

/** The media type without its parameters, in lower case. */
const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0]!.trim().toLowerCase()

/** JSON is UTF-8 (RFC 8259, section 8.1): text said to be anything else would be stored as something nobody wrote. */
const isOtherCharset = (header: string | undefined): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(header ?? '')?.[1]
  return charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)
}

/** Gives the buffer a body is read into, at least as long as asked. */
type MakeBuffer = (length: number) => Buffer
const fresh: MakeBuffer = (length) => Buffer.allocUnsafe(length)

/** How slowly a body may come: so many bytes a second, looked at so often. */
export type Pace = Pick<Limits, 'bodyBytesPerSecond' | 'bodySeconds'>

/** Node takes a longer one for one of a millisecond. */
const longestTimerMs = 2 ** 31 - 1

/** Looks whether a body goes on arriving. Returns how to stop. */
const watchPace = (pace: Pace, arrived: () => number, onSlow: () => void) => {
  const least = pace.bodyBytesPerSecond * pace.bodySeconds
  let before = 0
  const timer = setInterval(
    () => {
      if (arrived() - before < least) onSlow()
      before = arrived()
    },
    Math.min(pace.bodySeconds * 1000, longestTimerMs),
  ).unref()
  return () => clearInterval(timer)
}

/** How a body is read: at most so much, how slowly, into which buffer, and who sees the pieces as they come. */
interface Reading {
  readonly limit: number
  readonly pace: Pace
  /** Asked once the first piece is there. */
  readonly into?: MakeBuffer | undefined
  /** Must not keep the piece. */
  readonly onChunk?: (chunk: Buffer) => void
}

/**
 * The whole body in one buffer: when its length is announced and there is a buffer for it, it is read straight into place.
 * A body that breaks off is nobody's request; it throws like any other broken input.
 */
const readBody = (request: IncomingMessage, { limit, pace, into, onChunk }: Reading): Promise<Buffer> => {
  const announced = Number(request.headers['content-length'])
  if (announced > limit) return Promise.reject(tooLarge(limit))
  if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity')
    return Promise.reject(
      new ServiceError('invalid_request', 'send the body without Content-Encoding', { status: 415 }),
    )
  const make = into ?? (announced <= announcedBytes ? fresh : undefined)
  let whole: Buffer | undefined
  const chunks: Buffer[] = []
  let length = 0
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const take = (chunk: Buffer) => {
    // Whatever still comes is dropped.
    if (length + chunk.length > limit) return fail(tooLarge(limit))
    if (length === 0 && make && Number.isSafeInteger(announced)) whole = make(announced)
    const at = length
    length += chunk.length
    onChunk?.(chunk)
    if (whole) {
      chunk.copy(whole, at)
      releaseMemory(chunk)
    } else chunks.push(chunk)
  }
  const stop = watchPace(
    pace,
    () => length,
    () => fail(tooSlow()),
  )
  const fail = (error: Error) => {
    request.off('data', take)
    reject(error)
  }
  request.on('data', take)
  request.on('end', () => resolve(whole ? whole.subarray(0, length) : Buffer.concat(chunks)))
  request.on('aborted', () => fail(new ServiceError('invalid_request', 'the request broke off')))
  request.on('error', fail)
  return promise.finally(stop)
}

/** How long the rest of a body that nobody reads may take to come, for a client that reads its answer only then. */
const restMs = 10_000
/** The same for one that announced no more bytes than these: a picture of 9 MB takes a phone a minute. */
const announcedRest = { bytes: 64 * 1024 * 1024, restMs: 60_000 }

/** Bounds what still comes of a request that has been answered before its end. */
export const boundRest = (request: IncomingMessage): void => {
  if (request.complete) return
  const isSmall = Number(request.headers['content-length']) <= announcedRest.bytes
  const timer = setTimeout(() => request.socket.destroy(), isSmall ? announcedRest.restMs : restMs).unref()
  request.once('close', () => clearTimeout(timer))
}

const unreadable = (what: string, message: string) =>
  new ServiceError('invalid_request', `${what} ${message}`, { details: [{ path: '', message: `${what} ${message}` }] })

/** No body needs more; what walks a value later does so by recursion, and must not run out of stack. */
const maxDepth = 64

/** Where a text ends whose first byte is at `at`. */
const endOfText = (bytes: Buffer, at: number): number => {
  for (let end = at; ; end++) {
    const byte = bytes[end]
    if (byte === 0x22) return end
    if (byte === 0x5c) end++
  }
}

/** Counts brackets outside texts, in one pass; the bytes are known to be JSON. */
const isTooDeep = (bytes: Buffer): boolean => {
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === 0x22) at = endOfText(bytes, at + 1)
    // One bit tells [ from {, and ] from }.
    else if ((byte | 0x20) === 0x7b) {
      if (++depth > maxDepth) return true
    } else if ((byte | 0x20) === 0x7d) depth--
  }
  return false
}

const holdsNul = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' &&
      value !== null &&
      Object.entries(value).some(([k, v]) => k.includes('\0') || holdsNul(v))

const parseJson = (bytes: Buffer, what: string): unknown => {
  if (!isUtf8(bytes)) throw unreadable(what, 'is not UTF-8')
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw unreadable(what, 'is not JSON')
  }
  if (isTooDeep(bytes)) throw unreadable(what, `is nested more than ${maxDepth} deep`)
  // Postgres has no text with U+0000; looking at the bytes first keeps the walk out of every other request.
  if (bytes.includes('\\u0000') && holdsNul(value)) throw unreadable(what, 'must not contain the character U+0000')
  return bytes.includes('\\ud') || bytes.includes('\\uD') ? withoutHalves(value) : value
}

const formType = 'application/x-www-form-urlencoded'

/** The fields of a form; one that comes twice is nobody's. */
const parseForm = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw unreadable('the body', 'is not UTF-8')
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (fields.has(name)) throw unreadable('the body', `has the field ${JSON.stringify(name.slice(0, 40))} twice`)
    if (name.includes('\0') || value.includes('\0'))
      throw unreadable('the body', 'must not contain the character U+0000')
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

export interface ReceivedBody {
  /** What the schema is to check. */
  readonly value: unknown
  readonly bytes: Buffer | undefined
  /** SHA-256 of what was sent; only a request with an Idempotency-Key asks for it. */
  readonly hash: () => string
}

const sha256 = (...parts: (Buffer | string)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

const header = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '')

const receiveUpload = async (
  request: IncomingMessage,
  upload: NonNullable<EndpointSpec['upload']>,
  query: Readonly<Record<string, unknown>>,
  into: MakeBuffer | undefined,
  pace: Pace,
): Promise<ReceivedBody> => {
  const type = mediaType(request.headers['content-type'])
  if (type === 'application/json' && isOtherCharset(request.headers['content-type'])) throw unsupported([type])
  if (type === 'application/json') {
    const body = await readBody(request, { limit: Math.ceil(upload.maxBytes / 3) * 4 + 65_536, pace })
    const { data, ...meta } = (parseJson(body, 'the body') ?? {}) as { data?: unknown }
    const bytes = decodeBase64(data, 'data')
    if (bytes.length > upload.maxBytes) throw tooLarge(upload.maxBytes)
    return { value: meta, bytes, hash: () => sha256(body) }
  }
  if (!upload.contentTypes.includes(type)) throw unsupported(['application/json', ...upload.contentTypes])
  if (upload.from === 'part') {
    // Hashed while the sender sends: what arrives meanwhile fills the socket, and each piece is still in the cache.
    const arriving = createHash('sha256')
    const bytes = await readBody(request, {
      limit: upload.maxBytes,
      pace,
      into,
      onChunk: (chunk) => arriving.update(chunk),
    })
    rememberSha256(bytes, arriving)
    const meta = { index: query['index'], sha256: header(request, 'x-service-part-sha256') }
    return { value: meta, bytes, hash: () => sha256(JSON.stringify(meta), bytes) }
  }
  const bytes = await readBody(request, { limit: upload.maxBytes, pace, into })
  const text = header(request, 'x-service-evidence-meta')
  const meta = parseJson(Buffer.from(text === '' ? '{}' : text, 'latin1'), 'X-Service-Evidence-Meta') as object
  return { value: { ...meta, contentType: type }, bytes, hash: () => sha256(text, type, bytes) }
}

/** Reads a body as its endpoint declares it, raw bytes into a buffer that `into` gives. An endpoint without one reads nothing. */
export const receiveBody = async (
  request: IncomingMessage,
  endpoint: EndpointSpec,
  query: Readonly<Record<string, unknown>>,
  pace: Pace,
  into?: MakeBuffer,
): Promise<ReceivedBody> => {
  if (endpoint.upload) return receiveUpload(request, endpoint.upload, query, into, pace)
  const empty = { value: {}, bytes: undefined, hash: () => sha256('') }
  if (!endpoint.body) return empty
  const bytes = await readBody(request, { limit: bodyLimitOf(endpoint), pace })
  if (bytes.length === 0) {
    if (endpoint.bodyOptional) return empty
    throw new ServiceError('invalid_request', 'a JSON body is required', {
      details: [{ path: '', message: 'a JSON body is required' }],
    })
  }
  const type = request.headers['content-type']
  if (endpoint.form) {
    if (mediaType(type) !== formType) throw unsupported([formType])
    return { value: parseForm(bytes), bytes: undefined, hash: () => sha256(bytes) }
  }
  const accepted = ['application/json', ...(endpoint.wire ? [mediaTypeOf(endpoint)] : [])]
  if (!accepted.includes(mediaType(type)) || isOtherCharset(type)) throw unsupported(accepted)
  const value = parseJson(bytes, 'the body')
  return { value, bytes: endpoint.signed ? bytes : undefined, hash: () => jsonHash(bytes, value) }
}
