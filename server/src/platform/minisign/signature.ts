import { createHash, sign as signBytes, verify as verifyBytes } from 'node:crypto'
import { exactBase64, keyIdText, linesOf, MinisignError, type MinisignPublicKey } from './public-key.ts'
import type { MinisignSecretKey } from './secret-key.ts'

const untrusted = 'untrusted comment: '
const trusted = 'trusted comment: '

export interface MinisignSignature {
  readonly keyId: string
  /** `ED` signs the BLAKE2b-512 of the message, `Ed` (older) the message itself. */
  readonly algorithm: 'ED' | 'Ed'
  readonly signature: Buffer
  readonly trustedComment: string
  /** Covers the signature and the trusted comment. */
  readonly globalSignature: Buffer
}

/** Reads the text of a `.minisig` file: four lines. Throws a MinisignError. */
export const parseSignature = (text: string): MinisignSignature => {
  const [comment = '', first = '', second = '', last = '', ...rest] = linesOf(text)
  const bytes = exactBase64(first, 74)
  const globalSignature = exactBase64(last, 64)
  const algorithm = bytes?.toString('latin1', 0, 2)
  const whole = comment.startsWith(untrusted) && second.startsWith(trusted) && rest.every((line) => line === '')
  if (!whole || !bytes || !globalSignature || (algorithm !== 'ED' && algorithm !== 'Ed'))
    throw new MinisignError('this is not the text of a .minisig file')
  return {
    keyId: keyIdText(bytes.subarray(2, 10)),
    algorithm,
    signature: bytes.subarray(10),
    trustedComment: second.slice(trusted.length),
    globalSignature,
  }
}

const digest = (message: Uint8Array): Buffer => createHash('blake2b512').update(message).digest()

const globalMessage = (signature: Buffer, trustedComment: string): Buffer =>
  Buffer.concat([signature, Buffer.from(trustedComment, 'utf8')])

/** Whether the key signed these bytes, and the trusted comment beside them. */
export const isSignedBy = (message: Uint8Array, signature: MinisignSignature, { keyId, key }: MinisignPublicKey) => {
  if (signature.keyId !== keyId) return false
  const signed = signature.algorithm === 'ED' ? digest(message) : message
  return (
    verifyBytes(null, signed, key, signature.signature) &&
    verifyBytes(null, globalMessage(signature.signature, signature.trustedComment), key, signature.globalSignature)
  )
}

/**
 * The text of a `.minisig` file for these bytes, prehashed, as `minisign -S` writes it. `timestamp` is in epoch
 * seconds; `fileName` stands in the trusted comment.
 */
export const signMessage = (
  message: Uint8Array,
  secret: MinisignSecretKey,
  about: { readonly timestamp: number; readonly fileName: string },
): string => {
  const signature = signBytes(null, digest(message), secret.key)
  const comment = `timestamp:${about.timestamp}\tfile:${about.fileName}\thashed`
  const globalSignature = signBytes(null, globalMessage(signature, comment), secret.key)
  const head = Buffer.concat([Buffer.from('ED', 'latin1'), secret.keyIdBytes, signature])
  return [
    `${untrusted}signature from minisign secret key`,
    head.toString('base64'),
    `${trusted}${comment}`,
    globalSignature.toString('base64'),
    '',
  ].join('\n')
}
