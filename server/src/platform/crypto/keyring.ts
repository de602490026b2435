import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { CodedError } from '../coded-error.ts'
import { type AgeIdentity, generateIdentity, parseIdentity } from './age-keys.ts'

export const masterKeyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const keyVersion = 'v1'

export type KeyringErrorCode =
  /** The master key is not 32 bytes of hex or base64, or its file is not private to its owner. */
  | 'invalid_master_key'
  /** The database was written under another master key. */
  | 'other_master_key'
  /** The value was wrapped under a master key that this keyring does not hold. */
  | 'unknown_key'
  /** The value was altered, or wrapped for another context. */
  | 'unwrap_failed'

export class KeyringError extends CodedError<KeyringErrorCode> {
  override readonly name = 'KeyringError'
}

/** Keys derived from the master key. A KMS adapter would implement the same. */
export interface Keyring {
  /** Eight hex digits that name the current master key without telling anything about it. */
  readonly keyId: string
  /**
   * Encrypts under the current master key (AES-256-GCM). `context` says what the value is and whose
   * (`org-identity:org_1`); it is authenticated, so a value copied into another row does not open there.
   * Text: `v1.<key id>.<base64url of nonce, ciphertext and tag>`.
   */
  wrap(plain: Uint8Array, context: string): string
  /** Undoes `wrap`. Throws `KeyringError`: `unknown_key`, `unwrap_failed`. */
  unwrap(wrapped: string, context: string): Buffer
  /** A 32-byte key for one purpose (`download-token`), the same each time. Changes with the master key. */
  deriveKey(label: string): KeyObject
  /** HMAC-SHA-256 under the derived key of that label: `v1.<key id>.<base64url>`. */
  mac(label: string, text: string): string
  /** Whether a MAC is that of the text, under the current master key or a previous one. */
  macHolds(mac: string, label: string, text: string): boolean
  /** A new age identity for an organisation: the recipient to seal to, and the identity wrapped for that org. */
  newOrgIdentity(orgId: string): { recipient: string; wrappedIdentity: string }
  /** Opens a wrapped identity of that org. Caching the result is the caller's matter. */
  openOrgIdentity(wrappedIdentity: string, orgId: string): AgeIdentity
}

/** A keyring over the master key; `previous` ones still unwrap, which is what a change of the master key needs. */
export const createKeyring = (master: Uint8Array, previous: readonly Uint8Array[] = []): Keyring => {
  const current = wrappingKey(master)
  const byId = new Map([...previous.map(wrappingKey), current].map((key) => [key.id, key.key]))
  const macs = new Map([...previous, master].map((bytes) => [wrappingKey(bytes).id, macsUnder(bytes)]))
  const unwrap = (wrapped: string, context: string) => unwrapWith(byId, wrapped, context)
  const wrap = (plain: Uint8Array, context: string): string => {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', current.key, nonce, { authTagLength: tagBytes })
    cipher.setAAD(associatedData(current.id, context))
    const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    return `${keyVersion}.${current.id}.${sealed.toString('base64url')}`
  }
  return {
    keyId: current.id,
    wrap,
    unwrap,
    deriveKey: (label) => createSecretKey(derive(master, `derive:${label}`, 32)),
    mac: (label, text) => macs.get(current.id)!(label, text),
    macHolds: (given, label, text) => {
      const [a, b] = [Buffer.from(given), Buffer.from(macs.get(given.split('.')[1] ?? '')?.(label, text) ?? '')]
      return a.length === b.length && b.length > 0 && timingSafeEqual(a, b)
    },
    newOrgIdentity: (orgId) => {
      const { recipient, identityText } = generateIdentity()
      return { recipient, wrappedIdentity: wrap(Buffer.from(identityText, 'latin1'), identityContext(orgId)) }
    },
    openOrgIdentity: (wrappedIdentity, orgId) =>
      parseIdentity(unwrap(wrappedIdentity, identityContext(orgId)).toString('latin1')),
  }
}

const identityContext = (orgId: string): string => `org-identity:${orgId}`

/** The key id and version are authenticated too: neither can be swapped for another's. */
const associatedData = (keyId: string, context: string): Buffer =>
  Buffer.from(`${keyVersion}.${keyId}.${context}`, 'utf8')

const derive = (master: Uint8Array, info: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', master, 'interview-integrity/keyring', info, length))

/** MACs under one master key; the key of a label is derived once. */
const macsUnder = (master: Uint8Array): ((label: string, text: string) => string) => {
  const { id } = wrappingKey(master)
  const keys = new Map<string, KeyObject>()
  return (label, text) => {
    const key = keys.get(label) ?? createSecretKey(derive(master, `mac:${label}`, 32))
    keys.set(label, key)
    return `${keyVersion}.${id}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
}

const wrappingKey = (master: Uint8Array): { id: string; key: KeyObject } => {
  if (master.length !== masterKeyBytes) {
    throw new KeyringError('invalid_master_key', `a master key has ${masterKeyBytes} bytes`)
  }
  return { id: derive(master, 'key-id', 4).toString('hex'), key: createSecretKey(derive(master, 'wrap', 32)) }
}

const unwrapWith = (keys: ReadonlyMap<string, KeyObject>, wrapped: string, context: string): Buffer => {
  const [version, keyId, text, ...more] = wrapped.split('.')
  const sealed = Buffer.from(text ?? '', 'base64url')
  const isCanonical = sealed.toString('base64url') === text && sealed.length >= nonceBytes + tagBytes
  if (version !== keyVersion || keyId === undefined || more.length > 0 || !isCanonical) {
    throw new KeyringError('unwrap_failed', 'not a wrapped value')
  }
  const key = keys.get(keyId)
  if (!key) throw new KeyringError('unknown_key', `wrapped under master key ${keyId}, which this server does not hold`)
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(associatedData(keyId, context))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  try {
    const plain = decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes))
    return Buffer.concat([plain, decipher.final()])
  } catch (cause) {
    throw new KeyringError('unwrap_failed', 'the wrapped value was altered or belongs elsewhere', { cause })
  }
}
