import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { secretPrefixes } from '@integrity/protocol'
import { Cache } from '../../../platform/cache.ts'

const secretBytes = 32

/** A signing secret: `whsec_` and 32 random bytes in base64, which is also the form of Standard Webhooks. */
export const newSigningSecret = (): string => `${secretPrefixes.webhook}${randomBytes(secretBytes).toString('base64')}`

/** The two keys that one secret stands for. */
export interface SigningKeys {
  /** The whole string as UTF-8, `whsec_` included: our own header. */
  readonly whole: KeyObject
  /** The bytes that its base64 part holds: Standard Webhooks. */
  readonly decoded: KeyObject
}

export const signingKeys = (secret: string): SigningKeys => ({
  whole: createSecretKey(Buffer.from(secret, 'utf8')),
  decoded: createSecretKey(Buffer.from(secret.slice(secretPrefixes.webhook.length), 'base64')),
})

/**
 * `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`, the body as the bytes that are sent. `older` are keys that sign too:
 * one more `v1` for each.
 */
export const signatureHeader = (
  keys: SigningKeys,
  unixSeconds: number,
  body: Buffer,
  older: readonly SigningKeys[] = [],
): string => {
  const macs = [keys, ...older].map(({ whole }) =>
    createHmac('sha256', whole).update(`${unixSeconds}.`).update(body).digest('hex'),
  )
  return [`t=${unixSeconds}`, ...macs.map((mac) => `v1=${mac}`)].join(',')
}

/** `v1,<base64>`: HMAC-SHA256 over `<event id>.<t>.<body>`, as Standard Webhooks says. */
export const standardSignature = (keys: SigningKeys, eventId: string, unixSeconds: number, body: Buffer): string =>
  `v1,${createHmac('sha256', keys.decoded).update(`${eventId}.${unixSeconds}.`).update(body).digest('base64')}`

/** Key objects by the wrapped secret they came from: a rotation wraps again, so an old key can never be found again. */
export const createKeyCache = () => {
  const known = new Cache<SigningKeys>({ limit: 1000 })
  return (wrapped: string, unwrap: () => string): SigningKeys => known.getOrMake(wrapped, () => signingKeys(unwrap()))
}
export type KeyCache = ReturnType<typeof createKeyCache>

/** What the wrapped secret is bound to. */
export const secretContext = (orgId: string, endpointId: string): string => `webhook-secret:${orgId}:${endpointId}`
