import { createPublicKey, type KeyObject } from 'node:crypto'

/** What is wrong with a key, a signature or a password, in words for the operator. */
export class MinisignError extends Error {
  override readonly name = 'MinisignError'
}

export interface MinisignPublicKey {
  /** 16 hexadecimal digits, as minisign shows it. */
  readonly keyId: string
  readonly key: KeyObject
}

/** The identifier is a number, low byte first; it is written high byte first. */
export const keyIdText = (bytes: Buffer): string => Buffer.from(bytes).reverse().toString('hex').toUpperCase()

/** SubjectPublicKeyInfo of an Ed25519 key up to the 32 bytes of the key itself (RFC 8410). */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex')
/** PKCS #8 of an Ed25519 key up to its 32 bytes of seed (RFC 8410). */
export const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

const ed25519PublicKey = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: 'der', type: 'spki' })

/** Base64 of exactly `length` bytes, spelled as an encoder would; undefined for anything else. */
export const exactBase64 = (text: string, length: number): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined
}

/** The lines of a key or signature file. Windows' line ends are allowed, as in minisign itself. */
export const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/\r$/, ''))

/** Reads a public key: the base64 alone, or the text of a `.pub` file. Throws a MinisignError. */
export const parsePublicKey = (text: string): MinisignPublicKey => {
  const line = linesOf(text.trim()).at(-1) ?? ''
  const bytes = exactBase64(line.trim(), 42)
  if (bytes?.toString('latin1', 0, 2) !== 'Ed')
    throw new MinisignError(
      'this is not a minisign public key: it is the base64 that the second line of a .pub file holds',
    )
  return { keyId: keyIdText(bytes.subarray(2, 10)), key: ed25519PublicKey(bytes.subarray(10)) }
}
