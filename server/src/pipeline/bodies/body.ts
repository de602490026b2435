import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  bodyLimitOf,
  bodyValuesOf,
  type EndpointSpec,
  jsonDataBytesOf,
  mediaTypeOf,
  ServiceError,
} from '@integrity/protocol'
import { decodeBase64 } from '../../platform/base64.ts'
import { hashBytes } from '../../platform/crypto/hash-bytes.ts'
import { parseJson, unreadable } from '../../platform/read-json.ts'
import { type MakeBuffer, type Pace, readBody, tooLarge } from './read-body.ts'
import { jsonHash } from './request-hash.ts'

const unsupported = (accepted: readonly string[]) =>
  new ServiceError('invalid_request', `the content type must be one of ${accepted.join(', ')}`, { status: 415 })

/** The media type without its parameters, in lower case. */
const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0]!.trim().toLowerCase()

/** JSON is UTF-8 (RFC 8259, section 8.1): text said to be anything else would be stored as something nobody wrote. */
const isOtherCharset = (header: string | undefined): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(header ?? '')?.[1]
  return charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)
}

const formType = 'application/x-www-form-urlencoded'

/** A form that a browser brings has a handful of fields. */
const maxFields = 100
const hasManyFields = (bytes: Buffer): boolean => {
  let at = -1
  for (let n = 0; n < maxFields; n++) {
    at = bytes.indexOf(0x26, at + 1)
    if (at === -1) return false
  }
  return true
}

/** The fields of a form; one that comes twice is nobody's. */
const parseForm = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw unreadable('the body', 'is not UTF-8')
  if (hasManyFields(bytes)) throw unreadable('the body', `has more than ${maxFields} fields`)
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
  /** A SHA-256 that has taken in `bytes` while they arrived; of the parts of an upload alone. */
  readonly bytesHash?: Hash
  /** SHA-256 of what was sent; only a request with an Idempotency-Key asks for it. */
  readonly hash: () => Promise<string> | string
}

const sha256 = async (...parts: (Buffer | string)[]): Promise<string> => (await hashBytes(...parts)).toString('hex')

const header = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '')

/** A body that has come, and is yet to be parsed: that costs processor time, which its sender pays for. */
export type UnparsedBody = () => ReceivedBody

const receiveUpload = async (
  request: IncomingMessage,
  endpoint: EndpointSpec & { readonly upload: NonNullable<EndpointSpec['upload']> },
  query: Readonly<Record<string, unknown>>,
  into: MakeBuffer | undefined,
  pace: Pace,
): Promise<UnparsedBody> => {
  const { upload } = endpoint
  const maxValues = bodyValuesOf(endpoint)
  const type = mediaType(request.headers['content-type'])
  if (type === 'application/json' && isOtherCharset(request.headers['content-type'])) throw unsupported([type])
  if (type === 'application/json') {
    const most = jsonDataBytesOf(upload)
    const body = await readBody(request, { limit: bodyLimitOf(endpoint), pace })
    return () => {
      const { data, ...meta } = (parseJson(body, 'the body', maxValues) ?? {}) as { data?: unknown }
      const bytes = decodeBase64(data, 'data')
      if (bytes.length > most) throw tooLarge(most)
      return { value: meta, bytes, hash: () => sha256(body) }
    }
  }
  if (!upload.contentTypes.includes(type)) throw unsupported(['application/json', ...upload.contentTypes])
  if (upload.from === 'part') {
    // Hashed while the sender sends: what arrives meanwhile fills the socket, and each piece is still in the cache.
    const bytesHash = createHash('sha256')
    const bytes = await readBody(request, {
      limit: upload.maxBytes,
      pace,
      into,
      onChunk: (chunk) => bytesHash.update(chunk),
    })
    const meta = { index: query['index'], sha256: header(request, 'x-service-part-sha256') }
    return () => ({ value: meta, bytes, bytesHash, hash: () => sha256(JSON.stringify(meta), bytes) })
  }
  const bytes = await readBody(request, { limit: upload.maxBytes, pace, into })
  if (upload.from === 'frames') return () => ({ value: {}, bytes, hash: () => sha256(type, bytes) })
  const text = header(request, 'x-service-evidence-meta')
  return () => {
    const json = Buffer.from(text === '' ? '{}' : text, 'latin1')
    const meta = parseJson(json, 'X-Service-Evidence-Meta', maxValues) as object
    return { value: { ...meta, contentType: type }, bytes, hash: () => sha256(text, type, bytes) }
  }
}

/** Reads a body as its endpoint declares it, raw bytes into a buffer that `into` gives. An endpoint without one reads nothing. */
export const receiveBody = async (
  request: IncomingMessage,
  endpoint: EndpointSpec,
  query: Readonly<Record<string, unknown>>,
  pace: Pace,
  into?: MakeBuffer,
): Promise<UnparsedBody> => {
  const { upload } = endpoint
  if (upload) return receiveUpload(request, { ...endpoint, upload }, query, into, pace)
  const empty = { value: {}, bytes: undefined, hash: () => sha256('') }
  if (!endpoint.body) return () => empty
  const bytes = await readBody(request, { limit: bodyLimitOf(endpoint), pace })
  if (bytes.length === 0) {
    if (endpoint.bodyOptional) return () => empty
    throw new ServiceError('invalid_request', 'a JSON body is required', {
      details: [{ path: '', message: 'a JSON body is required' }],
    })
  }
  const type = request.headers['content-type']
  const hash = () => sha256(bytes)
  if (endpoint.form) {
    if (mediaType(type) !== formType) throw unsupported([formType])
    return () => ({ value: parseForm(bytes), bytes: undefined, hash })
  }
  const accepted = ['application/json', ...(endpoint.wire ? [mediaTypeOf(endpoint)] : [])]
  if (!accepted.includes(mediaType(type)) || isOtherCharset(type)) throw unsupported(accepted)
  // Whoever handles it parses these bytes once it knows who signed them.
  if (endpoint.signed) return () => ({ value: {}, bytes, hash })
  return () => {
    const value = parseJson(bytes, 'the body', bodyValuesOf(endpoint))
    return { value, bytes: undefined, hash: () => jsonHash(bytes, value) }
  }
}
