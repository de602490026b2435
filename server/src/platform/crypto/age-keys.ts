import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { AgeError } from './age-error.ts'
import { decodeBech32, encodeBech32 } from './bech32.ts'

const identityPrefix = 'age-secret-key-'
const recipientPrefix = 'age'
const keyBytes = 32
/** DER up to the 32 raw bytes of an X25519 key (RFC 8410): node:crypto has no raw import for them. */
const pkcs8Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const spkiPrefix = Buffer.from('302a300506032b656e032100', 'hex')

/** An opened X25519 identity. Keep it in memory only; `identityText` is its secret written form. */
export interface AgeIdentity {
  readonly privateKey: KeyObject
  /** The 32 raw bytes of the public key. */
  readonly publicKey: Buffer
  /** `age1…` */
  readonly recipient: string
}

/** A new X25519 identity, with its secret form `AGE-SECRET-KEY-1…`. */
export const generateIdentity = (): AgeIdentity & { readonly identityText: string } => {
  const { privateKey } = generateKeyPairSync('x25519')
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(pkcs8Prefix.length)
  return { ...identityOf(privateKey), identityText: encodeBech32(identityPrefix, secret).toUpperCase() }
}

/** Reads `AGE-SECRET-KEY-1…`. Throws `AgeError('invalid_identity')`, whose message never holds the text. */
export const parseIdentity = (text: string): AgeIdentity => {
  const secret = decodeKey(text, identityPrefix, 'invalid_identity')
  // age accepts the upper-case form only.
  if (text !== text.toUpperCase()) throw new AgeError('invalid_identity', 'not an age identity')
  return identityOf(privateKeyFromRaw(secret))
}

/** Reads `age1…` into the 32 raw bytes of the public key. Throws `AgeError('invalid_recipient')`. */
export const parseRecipient = (text: string): Buffer => {
  const raw = decodeKey(text, recipientPrefix, 'invalid_recipient')
  if (text !== text.toLowerCase()) throw new AgeError('invalid_recipient', 'not an age X25519 recipient')
  return raw
}

/** `age1…` of a raw public key. */
export const encodeRecipient = (publicKey: Uint8Array): string => encodeBech32(recipientPrefix, publicKey)

export const publicKeyFromRaw = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' })

/** As JWK, which takes a fifteenth of the time that DER does. */
export const rawPublicKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url')

const privateKeyFromRaw = (raw: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Prefix, raw]), format: 'der', type: 'pkcs8' })

const identityOf = (privateKey: KeyObject): AgeIdentity => {
  const publicKey = rawPublicKey(createPublicKey(privateKey))
  return { privateKey, publicKey, recipient: encodeRecipient(publicKey) }
}

const decodeKey = (text: string, prefix: string, code: 'invalid_identity' | 'invalid_recipient'): Buffer => {
  const words = code === 'invalid_identity' ? 'not an age identity' : 'not an age X25519 recipient'
  let decoded: { prefix: string; data: Buffer }
  try {
    decoded = decodeBech32(text)
  } catch (cause) {
    throw new AgeError(code, words, { cause })
  }
  if (decoded.prefix !== prefix || decoded.data.length !== keyBytes) throw new AgeError(code, words)
  return decoded.data
}
