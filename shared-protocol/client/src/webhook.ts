import { IntegrityError } from './errors.ts'
import { type IntegrityEvent, readEvent } from './events.ts'

const signatureHeaderName = 'x-service-signature'

/** How far the sender's clock and ours may be apart, either way. */
const defaultToleranceSeconds = 300

export type WebhookFault =
  | 'missing_signature'
  | 'malformed_signature'
  | 'signature_mismatch'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'body_not_raw'
  | 'invalid_body'

/**
 * This delivery must not be acted on; answer it with 400.
 *
 * @example
 * ```ts
 * try {
 *   await verifyWebhook(await request.text(), request.headers, secret)
 * } catch (error) {
 *   if (error instanceof WebhookVerificationError) console.log(error.reason)
 *   else throw error
 * }
 * ```
 */
export class WebhookVerificationError extends IntegrityError {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super({ code: 'webhook_not_verified', message })
    this.reason = reason
  }
}

/** The value of the header, or the headers it is among: those of fetch, or of Node's `request.headers`. */
export type SignatureSource = string | Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  readonly toleranceSeconds?: number
  /** Milliseconds since 1970; the clock's unless given. */
  readonly now?: number
}

const findSignature = (source: SignatureSource): string => {
  if (typeof source === 'string') return source
  if (typeof (source as Headers).get === 'function') return (source as Headers).get(signatureHeaderName) ?? ''
  for (const [name, value] of Object.entries(
    source as Readonly<Record<string, string | readonly string[] | undefined>>,
  ))
    if (name.toLowerCase() === signatureHeaderName) return typeof value === 'string' ? value : (value ?? []).join(',')
  return ''
}

/** Values of `v1` that are looked at. The sender gives one; a hostile one could give thousands. */
const mostSignatures = 10

interface Signature {
  readonly timestamp: string
  readonly macs: readonly Uint8Array<ArrayBuffer>[]
}

const fromHex = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!/^[0-9a-f]{64}$/i.test(text)) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** `t=<unix seconds>,v1=<hex>`, with more of `v1` while a secret is replaced; other schemes are for later versions. */
const readSignature = (header: string): Signature => {
  if (header.trim() === '')
    throw new WebhookVerificationError('missing_signature', `there is no ${signatureHeaderName} header`)
  const pairs = header.split(',').map((part) => part.trim().split('='))
  const values = (scheme: string) => pairs.filter(([name]) => name === scheme).map(([, value = '']) => value)
  const [timestamp = '', ...more] = values('t')
  const macs = values('v1')
    .slice(0, mostSignatures)
    .map(fromHex)
    .filter((mac) => mac !== undefined)
  if (!/^\d{1,12}$/.test(timestamp) || more.length > 0 || macs.length === 0)
    throw new WebhookVerificationError('malformed_signature', 'the signature is not t=<unix seconds>,v1=<hex>')
  return { timestamp, macs }
}

const utf8 = new TextEncoder()

const rawBytes = (rawBody: unknown): Uint8Array => {
  if (typeof rawBody === 'string') return utf8.encode(rawBody)
  if (rawBody instanceof Uint8Array) return rawBody
  throw new WebhookVerificationError(
    'body_not_raw',
    'the signature covers the bytes as they came: pass the raw body as text or bytes, not the object parsed from it',
  )
}

const join = (head: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const first = utf8.encode(head)
  const whole = new Uint8Array(first.length + body.length)
  whole.set(first)
  whole.set(body, first.length)
  return whole
}

const importSecret = (secret: string): Promise<CryptoKey> => {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('a signing secret is needed')
  return crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Tries every pair, also after a match: how long it takes tells nothing. WebCrypto compares in constant time. */
const matches = async (keys: readonly CryptoKey[], { macs }: Signature, signed: Uint8Array<ArrayBuffer>) => {
  const tried = await Promise.all(
    keys.flatMap((key) => macs.map((mac) => crypto.subtle.verify('HMAC', key, mac, signed))),
  )
  return tried.includes(true)
}

/**
 * The event of a delivery whose signature is right and fresh: HMAC-SHA256 over `<t>.<raw body>`, not more than 300 s
 * away from our clock either way. `secret` may be a list while a secret is replaced: any of them will do. Deliveries
 * may be repeated: remember `event.id`. Throws `WebhookVerificationError`, whose `reason` says what is wrong.
 *
 * @example
 * ```ts
 * const event = await verifyWebhook(await request.text(), request.headers, secret)
 * if (event.type === 'session.ended') console.log(event.id, event.data.session.id)
 * ```
 */
export const verifyWebhook = async (
  rawBody: string | Uint8Array,
  signature: SignatureSource,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<IntegrityEvent> => {
  const body = rawBytes(rawBody)
  const read = readSignature(findSignature(signature))
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0) throw new TypeError('a signing secret is needed')
  const keys = await Promise.all(secrets.map(importSecret))
  if (!(await matches(keys, read, join(`${read.timestamp}.`, body))))
    throw new WebhookVerificationError('signature_mismatch', 'no signature of this body was made with this secret')
  const tolerance = options.toleranceSeconds ?? defaultToleranceSeconds
  const age = Math.floor((options.now ?? Date.now()) / 1000) - Number(read.timestamp)
  if (age > tolerance)
    throw new WebhookVerificationError('timestamp_too_old', `signed ${age} s ago, more than ${tolerance} s`)
  if (-age > tolerance)
    throw new WebhookVerificationError(
      'timestamp_in_future',
      `signed ${-age} s ahead of our clock, over ${tolerance} s`,
    )
  const event = readEvent(new TextDecoder().decode(body))
  if (!event) throw new WebhookVerificationError('invalid_body', 'the body is not the envelope of an event')
  return event
}
