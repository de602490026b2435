import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Sealing of what is on the candidate's disk: AES-256-GCM under a key and nonce that HKDF-SHA-256 (RFC 5869) derives
 * from the spool key and 32 random bytes, fresh for each seal, so that no nonce is ever used twice with a key.
 * Layout: magic `IAS1` | salt 32 | ciphertext | tag 16. The purpose is bound in, so that one kind never opens as another.
 */
const magic = Buffer.from('IAS1')
const saltBytes = 32
const tagBytes = 16
const headBytes = magic.length + saltBytes

/** Bytes that sealing adds to the plain text. */
const sealOverhead = headBytes + tagBytes

export type SealPurpose = 'item' | 'event' | 'segment' | 'session' | 'key_check' | 'capture_key'

const derive = (spoolKey: Buffer, salt: Buffer, purpose: SealPurpose): { key: Buffer; nonce: Buffer } => {
  const okm = Buffer.from(hkdfSync('sha256', spoolKey, salt, `integrity-agent/spool/v1/${purpose}`, 44))
  return { key: okm.subarray(0, 32), nonce: okm.subarray(32) }
}

export const seal = (spoolKey: Buffer, purpose: SealPurpose, ...parts: readonly Buffer[]): Buffer => {
  const salt = randomBytes(saltBytes)
  const { key, nonce } = derive(spoolKey, salt, purpose)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = parts.map((part) => cipher.update(part))
  return Buffer.concat([magic, salt, ...body, cipher.final(), cipher.getAuthTag()])
}

/** Throws when the bytes were cut, altered, sealed with another key or for another purpose. */
export const unseal = (spoolKey: Buffer, purpose: SealPurpose, sealed: Buffer): Buffer => {
  if (sealed.length < sealOverhead || !sealed.subarray(0, magic.length).equals(magic)) {
    throw new Error('not a sealed spool record')
  }
  const { key, nonce } = derive(spoolKey, sealed.subarray(magic.length, headBytes), purpose)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  const body = decipher.update(sealed.subarray(headBytes, sealed.length - tagBytes))
  return Buffer.concat([body, decipher.final()])
}
