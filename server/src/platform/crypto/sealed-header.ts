import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { AgeError } from './age-error.ts'

const prefix = 's1.'
const nonceBytes = 12
const tagBytes = 16

/**
 * An age header under a 32-byte key (AES-256-GCM): `s1.<base64url of nonce, ciphertext and tag>`. `context` is
 * authenticated: a header of another object does not open. Without the key the object cannot be opened by anyone.
 */
export const sealHeader = (key: Uint8Array, header: string, context: string): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(prefix + context))
  const sealed = Buffer.concat([nonce, cipher.update(header, 'latin1'), cipher.final(), cipher.getAuthTag()])
  return prefix + sealed.toString('base64url')
}

/** Headers from before there were keys for sessions are plain. */
export const isSealedHeader = (text: string): boolean => text.startsWith(prefix)

/** Undoes `sealHeader`. Throws `AgeError('malformed_header')`. */
export const openHeader = (key: Uint8Array, text: string, context: string): string => {
  const sealed = Buffer.from(text.slice(prefix.length), 'base64url')
  if (sealed.length < nonceBytes + tagBytes) throw new AgeError('malformed_header', 'a sealed header is cut short')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(prefix + context))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  try {
    const plain = decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes))
    return Buffer.concat([plain, decipher.final()]).toString('latin1')
  } catch (cause) {
    throw new AgeError('malformed_header', 'a sealed header was altered or belongs elsewhere', { cause })
  }
}
