import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type EndpointSpec, ServiceError } from '@integrity/protocol'

const MiB = 1024 * 1024
export const defaultBodyBytes = MiB

const tooLarge = (limit: number) =>
  new ServiceError('invalid_request', `the body is larger than ${limit} bytes`, { status: 413, headers: { Connection: 'close' } })
const unsupported = (accepted: readonly string[]) =>
  new ServiceError('invalid_request', `the content type must be one of ${accepted.join(', ')}`, { status: 415 })

/** The media type without its parameters, in lower case. */
export const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0]!.trim().toLowerCase()

/**
 * The whole body, at most `limit` bytes, in one buffer: when its length is announced it is read straight into place.
 * A body that breaks off is nobody's request; it throws like any other broken input.
 */
export const readBody = (request: IncomingMessage, limit: number): Promise<Buffer> => {
  const announced = Number(request.headers['content-length'])
  if (announced > limit) return Promise.reject(tooLarge(limit))
  if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity')
    return Promise.reject(new ServiceError('invalid_request', 'send the body without Content-Encoding', { status: 415 }))
  const whole = Number.isSafeInteger(announced) ? Buffer.allocUnsafe(announced) : undefined
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      if (length + chunk.length > limit) {
        // Whatever still comes is dropped by Node once the answer has been sent.
        request.off('data', take)
        reject(tooLarge(limit))
        return
      }
      if (whole) chunk.copy(whole, length)
      else chunks.push(chunk)
      length += chunk.length
    }
    request.on('data', take)
    request.on('end', () => resolve(whole ? whole.subarray(0, length) : Buffer.concat(chunks)))
    request.on('aborted', () => reject(new ServiceError('invalid_request', 'the request broke off')))
    request.on('error', reject)
  })
}

const parseJson = (bytes: Buffer, what: string): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new ServiceError('invalid_request', `${what} is not JSON`, { details: [{ path: '', message: `${what} is not JSON` }] })
  }
}

const decodeBase64 = (text: unknown): Buffer => {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new ServiceError('invalid_request', 'data: must be base64', { details: [{ path: 'data', message: 'must be base64' }] })
  return Buffer.from(text, 'base64')
}

export interface ReceivedBody {
  /** What the schema is to check. */
  readonly value: unknown
  readonly bytes: Buffer | undefined
  /** SHA-256 of all that was sent, for idempotency. */
  readonly hash: string
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
): Promise<ReceivedBody> => {
  const type = mediaType(request.headers['content-type'])
  if (type === 'application/json') {
    const body = await readBody(request, Math.ceil(upload.maxBytes / 3) * 4 + 65_536)
    const { data, ...meta } = (parseJson(body, 'the body') ?? {}) as { data?: unknown }
    const bytes = decodeBase64(data)
    if (bytes.length > upload.maxBytes) throw tooLarge(upload.maxBytes)
    return { value: meta, bytes, hash: sha256(body) }
  }
  if (!upload.contentTypes.includes(type)) throw unsupported(['application/json', ...upload.contentTypes])
  const bytes = await readBody(request, upload.maxBytes)
  if (upload.from === 'part') {
    const meta = { index: query['index'], sha256: header(request, 'x-service-part-sha256') }
    return { value: meta, bytes, hash: sha256(JSON.stringify(meta), bytes) }
  }
  const text = header(request, 'x-service-evidence-meta')
  const meta = parseJson(Buffer.from(text === '' ? '{}' : text, 'latin1'), 'X-Service-Evidence-Meta') as object
  return { value: { ...meta, contentType: type }, bytes, hash: sha256(text, type, bytes) }
}

/** Reads a body as its endpoint declares it. An endpoint without one reads nothing. */
export const receiveBody = async (
  request: IncomingMessage,
  endpoint: EndpointSpec,
  query: Readonly<Record<string, unknown>>,
): Promise<ReceivedBody> => {
  if (endpoint.upload) return receiveUpload(request, endpoint.upload, query)
  const empty = { value: {}, bytes: undefined, hash: sha256('') }
  if (!endpoint.body) return empty
  const bytes = await readBody(request, endpoint.maxBodyBytes ?? defaultBodyBytes)
  if (bytes.length === 0) {
    if (endpoint.bodyOptional) return empty
    throw new ServiceError('invalid_request', 'a JSON body is required', {
      details: [{ path: '', message: 'a JSON body is required' }],
    })
  }
  if (mediaType(request.headers['content-type']) !== 'application/json') throw unsupported(['application/json'])
  return { value: parseJson(bytes, 'the body'), bytes: undefined, hash: sha256(bytes) }
}
