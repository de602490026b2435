import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 base62 characters carry 190 bits. */
const secretCharacters = 32
/** The largest multiple of 62 that a byte can reach; bytes from here on are thrown away, or the low letters come more often. */
const unbiasedBytes = 248

/**
 * A new bearer secret: `prefix` (such as `sk_`, it names the kind so that a leaked one is recognised) and 32 base62
 * characters, 190 random bits. Show `token` once, store only `hash`.
 */
export const newSecret = (prefix: string): { token: string; hash: string } => {
  let random = ''
  while (random.length < secretCharacters) {
    for (const byte of randomBytes(secretCharacters)) {
      if (byte < unbiasedBytes && random.length < secretCharacters) random += alphabet[byte % alphabet.length]
    }
  }
  const token = prefix + random
  return { token, hash: hashSecret(token) }
}

/** SHA-256 of the whole token, prefix included, as 64 hex digits. For random secrets only; passwords take argon2id. */
export const hashSecret = (token: string): string => hash('sha256', token, 'hex')

/** Whether two texts are equal, in a time that tells nothing about where they differ or how long they are. */
export const constantTimeEqual = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest()
  return timingSafeEqual(digest(a), digest(b))
}
