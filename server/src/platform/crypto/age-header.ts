import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { remembering } from '../cache.ts'
import { AgeError } from './age-error.ts'
import { type AgeIdentity, parseRecipient, publicKeyFromRaw, rawPublicKey } from './age-keys.ts'

/*
 * The age v1 header (C2SP age.md): a version line, one stanza for each recipient, and a MAC over all of it keyed by
 * the file key. The text ends with the newline after the MAC; the payload (nonce and chunks) follows it in a file.
 */

export const fileKeyBytes = 16
const versionLine = 'age-encryption.org/v1'
const x25519Label = 'age-encryption.org/v1/X25519'
const zeroNonce = Buffer.alloc(12)
const tagBytes = 16
const bodyColumns = 64
const maxHeaderCharacters = 64 * 1024
const maxRecipients = 20

interface Recipient {
  readonly raw: Buffer
  readonly key: KeyObject
}

/** An organisation seals every item to the same few. */
const recipientOf = remembering((text): Recipient => {
  const raw = parseRecipient(text)
  return { raw, key: publicKeyFromRaw(raw) }
})

interface Stanza {
  readonly type: string
  readonly args: readonly string[]
  readonly body: Buffer
}

/**
 * Wraps the 16-byte file key for each `age1…` recipient (1 to 20) and returns the header text, final newline included.
 * Each call makes new ephemeral keys, so two headers of one file key differ. Throws `AgeError('invalid_recipient')`.
 */
export const wrapFileKey = (fileKey: Uint8Array, recipients: readonly string[]): string => {
  if (fileKey.length !== fileKeyBytes) throw new RangeError(`a file key has ${fileKeyBytes} bytes`)
  if (recipients.length === 0 || recipients.length > maxRecipients) {
    throw new AgeError('invalid_recipient', `a header needs 1 to ${maxRecipients} recipients`)
  }
  const stanzas = recipients.map((recipient) => stanzaFor(fileKey, recipientOf(recipient)))
  const signed = `${versionLine}\n${stanzas.join('')}---`
  return `${signed} ${toBase64(headerMac(fileKey, signed))}\n`
}

/**
 * The file key, if one of the header's X25519 stanzas was made for this identity and the header's MAC fits.
 * Stanzas of other types are skipped. Throws `AgeError`: `malformed_header`, `no_matching_identity`, `header_mac_mismatch`.
 */
export const unwrapFileKey = (header: string, identity: AgeIdentity): Buffer => {
  const { stanzas, signed, mac } = parseHeader(header)
  for (const stanza of stanzas) {
    if (stanza.type !== 'X25519') continue
    const fileKey = openStanza(stanza, identity)
    if (!fileKey) continue
    if (!timingSafeEqual(headerMac(fileKey, signed), mac)) {
      throw new AgeError('header_mac_mismatch', 'the header was changed after it was made')
    }
    return fileKey
  }
  throw new AgeError('no_matching_identity', 'no stanza of the header opens with this identity')
}

/** How many X25519 recipients a header is for. Throws `AgeError('malformed_header')`. */
export const countRecipients = (header: string): number =>
  parseHeader(header).stanzas.filter(({ type }) => type === 'X25519').length

const stanzaFor = (fileKey: Uint8Array, recipient: Recipient): string => {
  const ephemeral = generateKeyPairSync('x25519')
  const share = rawPublicKey(ephemeral.publicKey)
  const key = wrapKey(ephemeral.privateKey, recipient.key, share, recipient.raw)
  if (!key) throw new AgeError('invalid_recipient', 'the recipient is a low-order point')
  const cipher = createCipheriv('chacha20-poly1305', key, zeroNonce, { authTagLength: tagBytes })
  const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
  return `-> X25519 ${toBase64(share)}\n${toBase64(body)}\n`
}

const openStanza = (stanza: Stanza, identity: AgeIdentity): Buffer | undefined => {
  const share = stanza.args.length === 1 ? fromBase64(stanza.args[0]!) : undefined
  // The spec asks to fail on these, not to skip: a header that says X25519 must be X25519.
  if (share?.length !== 32 || stanza.body.length !== fileKeyBytes + tagBytes) throw malformed('X25519 stanza')
  const key = wrapKey(identity.privateKey, publicKeyFromRaw(share), share, identity.publicKey)
  if (!key) throw malformed('X25519 share is a low-order point')
  const decipher = createDecipheriv('chacha20-poly1305', key, zeroNonce, { authTagLength: tagBytes })
  decipher.setAuthTag(stanza.body.subarray(fileKeyBytes))
  const fileKey = decipher.update(stanza.body.subarray(0, fileKeyBytes))
  try {
    decipher.final()
  } catch {
    return undefined // made for another recipient
  }
  return fileKey
}

/** Undefined when the shared secret is all zero (RFC 7748 section 6.1), which OpenSSL reports by throwing. */
const wrapKey = (own: KeyObject, theirs: KeyObject, share: Buffer, recipient: Buffer): Buffer | undefined => {
  let secret: Buffer
  try {
    secret = diffieHellman({ privateKey: own, publicKey: theirs })
  } catch {
    return undefined
  }
  if (secret.every((byte) => byte === 0)) return undefined
  return Buffer.from(hkdfSync('sha256', secret, Buffer.concat([share, recipient]), x25519Label, 32))
}

const headerMac = (fileKey: Uint8Array, signed: string): Buffer => {
  const key = Buffer.from(hkdfSync('sha256', fileKey, '', 'header', 32))
  return createHmac('sha256', key).update(signed, 'latin1').digest()
}

const parseHeader = (header: string): { stanzas: Stanza[]; signed: string; mac: Buffer } => {
  if (header.length > maxHeaderCharacters) throw malformed('too long')
  const lines = header.split('\n')
  if (lines.shift() !== versionLine) throw malformed('version line')
  const stanzas: Stanza[] = []
  for (;;) {
    const line = lines.shift()
    if (line === undefined) throw malformed('no MAC line')
    if (line.startsWith('--- ')) {
      const mac = fromBase64(line.slice(4))
      if (mac?.length !== 32) throw malformed('MAC')
      if (lines.length !== 1 || lines[0] !== '') throw malformed('text after the MAC line')
      if (stanzas.length === 0) throw malformed('no recipient')
      return { stanzas, mac, signed: header.slice(0, header.length - line.length - 1 + 3) }
    }
    stanzas.push(parseStanza(line, lines))
  }
}

const parseStanza = (first: string, rest: string[]): Stanza => {
  const [arrow, type, ...args] = first.split(' ')
  if (arrow !== '->' || type === undefined) throw malformed('stanza line')
  for (const word of [type, ...args]) if (!/^[\x21-\x7e]+$/.test(word)) throw malformed('stanza argument')
  let text = ''
  for (;;) {
    const line = rest.shift()
    if (line === undefined || line.length > bodyColumns) throw malformed('stanza body')
    text += line
    if (line.length < bodyColumns) break
  }
  const body = fromBase64(text)
  if (!body) throw malformed('stanza body')
  return { type, args, body }
}

const malformed = (what: string): AgeError => new AgeError('malformed_header', `not an age v1 header: ${what}`)

const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** Standard alphabet, no padding, canonical only: two texts never stand for the same bytes. */
const fromBase64 = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64')
  return toBase64(bytes) === text ? bytes : undefined
}
