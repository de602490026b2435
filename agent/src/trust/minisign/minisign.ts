import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'

/** `malformed`: not a minisign text; `unknown_key`: none of the trusted keys; `tampered`: bytes or comment differ. */
export type MinisignFault = 'malformed' | 'unknown_key' | 'tampered'

export class MinisignError extends Error {
  override readonly name = 'MinisignError'
  readonly fault: MinisignFault

  constructor(fault: MinisignFault, message: string) {
    super(message)
    this.fault = fault
  }
}

export interface MinisignPublicKey {
  /** 16 hexadecimal digits, as `minisign -G` prints them. */
  readonly keyId: string
  readonly key: KeyObject
}

export interface MinisignSignature {
  readonly keyId: string
  /** `Ed` signs the bytes themselves, `ED` their BLAKE2b-512 digest. */
  readonly algorithm: 'Ed' | 'ED'
  /** 64 bytes over the document. */
  readonly signature: Buffer
  readonly trustedComment: string
  /** 64 bytes over `signature` and the trusted comment. */
  readonly globalSignature: Buffer
}

const keyIdBytes = 8
const publicKeyBytes = 32
const signatureBytes = 64
/** minisign itself takes comments of up to 8 KiB. */
const maxSignatureText = 16 * 1024
const untrusted = 'untrusted comment: '
const trusted = 'trusted comment: '

const malformed = (what: string): MinisignError => new MinisignError('malformed', what)

/** Base64 as minisign writes it: standard alphabet, padded, nothing else. */
const decode = (text: string, bytes: number, what: string): Buffer => {
  const decoded = Buffer.from(text, 'base64')
  if (decoded.length !== bytes || decoded.toString('base64') !== text) throw malformed(`${what} is not minisign's`)
  return decoded
}

/** The id is a little-endian number. */
const readKeyId = (bytes: Buffer): string => Buffer.from(bytes).reverse().toString('hex').toUpperCase()

/** A text that went through Windows or a mail has other line ends; a line itself never ends in one. */
const linesOf = (text: string): string[] => text.replace(/\r?\n$/, '').split(/\r?\n/)

const lineAfter = (line: string | undefined, prefix: string): string => {
  if (!line?.startsWith(prefix)) throw malformed(`a line must begin with "${prefix.trim()}"`)
  return line.slice(prefix.length)
}

/** Reads `minisign.pub` or its second line alone. Throws `MinisignError` (malformed). */
export const parsePublicKey = (text: string): MinisignPublicKey => {
  const lines = linesOf(text.trim())
  const [encoded, ...rest] = lines[0]?.startsWith(untrusted) ? lines.slice(1) : lines
  if (encoded === undefined || rest.length > 0) throw malformed('a public key is one line, with or without its comment')
  const bytes = decode(encoded, 2 + keyIdBytes + publicKeyBytes, 'the public key')
  if (bytes.toString('latin1', 0, 2) !== 'Ed') throw malformed('the public key is of an unknown kind')
  const x = bytes.subarray(2 + keyIdBytes).toString('base64url')
  return {
    keyId: readKeyId(bytes.subarray(2, 2 + keyIdBytes)),
    key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
  }
}

/** Reads a `.minisig`. Throws `MinisignError` (malformed). */
export const parseSignature = (text: string): MinisignSignature => {
  if (text.length > maxSignatureText) throw malformed('the signature is longer than any minisign writes')
  const lines = linesOf(text)
  if (lines.length !== 4) throw malformed(`a signature has four lines, not ${lines.length}`)
  lineAfter(lines[0], untrusted)
  const bytes = decode(lines[1]!, 2 + keyIdBytes + signatureBytes, 'the signature')
  const algorithm = bytes.toString('latin1', 0, 2)
  if (algorithm !== 'Ed' && algorithm !== 'ED') throw malformed('the signature is of an unknown kind')
  return {
    algorithm,
    keyId: readKeyId(bytes.subarray(2, 2 + keyIdBytes)),
    signature: bytes.subarray(2 + keyIdBytes),
    trustedComment: lineAfter(lines[2], trusted),
    globalSignature: decode(lines[3]!, signatureBytes, 'the signature of the comment'),
  }
}

/**
 * Checks a signature over `message` and the one over its trusted comment, as `minisign -V` does; gives the key that
 * made both. Throws `MinisignError`: unknown_key or tampered.
 */
export const verifyMinisign = (
  message: Uint8Array,
  { algorithm, keyId, signature, trustedComment, globalSignature }: MinisignSignature,
  keys: readonly MinisignPublicKey[],
): MinisignPublicKey => {
  // Ids are eight random bytes that anyone can copy: they choose the key, they prove nothing.
  const candidates = keys.filter((key) => key.keyId === keyId)
  if (candidates.length === 0) throw new MinisignError('unknown_key', `key ${keyId} is not one that is trusted here`)
  // Electron's BoringSSL has no `blake2b512`.
  const signed = algorithm === 'ED' ? blake2b(message) : message
  const signer = candidates.find(({ key }) => verify(null, signed, key, signature))
  if (!signer) throw new MinisignError('tampered', 'the signature is not of these bytes')
  const global = Buffer.concat([signature, Buffer.from(trustedComment)])
  if (!verify(null, global, signer.key, globalSignature)) {
    throw new MinisignError('tampered', 'the trusted comment is not the one that was signed')
  }
  return signer
}
