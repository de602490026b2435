import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AgeError, type AgeErrorCode } from './age-error.ts'
import { unwrapFileKey, wrapFileKey } from './age-header.ts'
import { encodeRecipient, generateIdentity, parseIdentity, parseRecipient } from './age-keys.ts'

const codeOf = (work: () => unknown): AgeErrorCode | 'no error' => {
  try {
    work()
    return 'no error'
  } catch (error) {
    if (error instanceof AgeError) return error.code
    throw error
  }
}

describe('age keys', () => {
  it('an identity reads back from its text, and names its recipient', () => {
    const identity = generateIdentity()
    expect(identity.identityText).toMatch(/^AGE-SECRET-KEY-1[A-Z0-9]{58}$/)
    expect(parseIdentity(identity.identityText).recipient).toBe(identity.recipient)
    expect(parseRecipient(identity.recipient).equals(identity.publicKey)).toBe(true)
  })

  it('refuses what is not a key, a key of the other kind, and a key in the wrong case', () => {
    const { identityText, recipient } = generateIdentity()
    for (const text of ['', 'AGE-SECRET-KEY-1', identityText.slice(0, -1), recipient, identityText.toLowerCase()]) {
      expect(codeOf(() => parseIdentity(text))).toBe('invalid_identity')
    }
    for (const text of ['', 'age1', `${recipient}q`, identityText, recipient.toUpperCase(), 'ssh-ed25519 AAAA']) {
      expect(codeOf(() => parseRecipient(text))).toBe('invalid_recipient')
    }
  })

  it('an error about an identity never repeats its text', () => {
    const broken = `${generateIdentity().identityText.slice(0, -1)}B`
    expect(() => parseIdentity(broken)).toThrow(/^not an age identity$/)
  })
})

describe('the age header', () => {
  const fileKey = randomBytes(16)
  const [org, customer, stranger] = [generateIdentity(), generateIdentity(), generateIdentity()]
  const header = wrapFileKey(fileKey, [org.recipient, customer.recipient])

  it('opens for each of its recipients and for nobody else', () => {
    expect(unwrapFileKey(header, org).equals(fileKey)).toBe(true)
    expect(unwrapFileKey(header, customer).equals(fileKey)).toBe(true)
    expect(codeOf(() => unwrapFileKey(header, stranger))).toBe('no_matching_identity')
  })

  it('is different each time', () => {
    expect(wrapFileKey(fileKey, [org.recipient])).not.toBe(wrapFileKey(fileKey, [org.recipient]))
  })

  it('needs at least one recipient, at most twenty, valid ones, and a file key of 16 bytes', () => {
    expect(codeOf(() => wrapFileKey(fileKey, []))).toBe('invalid_recipient')
    expect(codeOf(() => wrapFileKey(fileKey, Array(21).fill(org.recipient)))).toBe('invalid_recipient')
    expect(codeOf(() => wrapFileKey(fileKey, [org.recipient, 'age1x']))).toBe('invalid_recipient')
    expect(() => wrapFileKey(randomBytes(15), [org.recipient])).toThrow(RangeError)
  })

  it('refuses a recipient that is a low-order point', () => {
    expect(codeOf(() => wrapFileKey(fileKey, [encodeRecipient(Buffer.alloc(32))]))).toBe('invalid_recipient')
  })

  it('any changed character is an error', () => {
    fc.assert(
      fc.property(fc.nat(header.length - 1), fc.integer({ min: 0x0a, max: 0x7e }), (at, code) => {
        const character = String.fromCharCode(code)
        fc.pre(character !== header[at])
        const changed = header.slice(0, at) + character + header.slice(at + 1)
        expect(codeOf(() => unwrapFileKey(changed, org))).not.toBe('no error')
      }),
      { numRuns: 300 },
    )
  })

  it('any cut, and anything after the end, is an error', () => {
    for (let cut = 0; cut < header.length; cut++) {
      expect(codeOf(() => unwrapFileKey(header.slice(0, cut), org))).not.toBe('no error')
    }
    for (const more of ['\n', 'x', '\0', '--- \n']) {
      expect(codeOf(() => unwrapFileKey(header + more, org))).toBe('malformed_header')
    }
  })

  it('a stanza taken away, or brought in from another header, does not fit the MAC', () => {
    const lines = header.split('\n')
    const without = [lines[0], ...lines.slice(1, 3), ...lines.slice(5)].join('\n')
    expect(codeOf(() => unwrapFileKey(without, org))).toBe('header_mac_mismatch')
    const foreign = wrapFileKey(randomBytes(16), [stranger.recipient]).split('\n').slice(1, 3)
    const added = [lines[0], ...foreign, ...lines.slice(1)].join('\n')
    expect(codeOf(() => unwrapFileKey(added, org))).toBe('header_mac_mismatch')
    expect(codeOf(() => unwrapFileKey(added, stranger))).toBe('header_mac_mismatch')
  })

  it('stanzas of unknown types are skipped, with bodies of any length', () => {
    const lines = header.split('\n')
    const grease = ['-> scrypt-like a b', 'A'.repeat(64), 'A'.repeat(64), '']
    const unknown = [lines[0], ...grease, ...lines.slice(1)].join('\n')
    // Skipped while reading; the MAC, made without it, then tells.
    expect(codeOf(() => unwrapFileKey(unknown, org))).toBe('header_mac_mismatch')
    expect(codeOf(() => unwrapFileKey(unknown, stranger))).toBe('no_matching_identity')
  })

  it.each([
    ['another version', 'age-encryption.org/v2\n--- '],
    ['no recipient', `age-encryption.org/v1\n--- ${'A'.repeat(43)}\n`],
    ['carriage returns', header.replaceAll('\n', '\r\n')],
    ['a stanza without type', header.replace('-> X25519', '-> ')],
    ['an X25519 stanza with two arguments', header.replace('-> X25519 ', '-> X25519 x ')],
    ['padded base64', header.replace(/\n---/, '=\n---')],
    ['an all-zero share', header.replace(/-> X25519 \S+/, `-> X25519 ${'A'.repeat(43)}`)],
    ['too much text', `age-encryption.org/v1\n${'-> x\n\n'.repeat(20_000)}`],
  ])('refuses %s as malformed', (_, text) => {
    expect(codeOf(() => unwrapFileKey(text, org))).toBe('malformed_header')
  })
})
