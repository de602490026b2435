import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import {
  checkpointKey,
  checkpointVerifierKey,
  parseVerifierKey,
  signCheckpoint,
  verifyCheckpoint,
} from './audit.checkpoint.ts'

const master = randomBytes(32)
const key = checkpointKey(createKeyring(master))
const head = { seq: 12_345, hash: createHash('sha256').update('head').digest('hex') }
const note = signCheckpoint(key, 'org_1', head)
const invalid = { status: 'invalid' }

/** A verifier written from the specification alone, given only the note and the key's text form. */
const verifiedByTheBook = (verifierKey: string, signed: string): string[] | undefined => {
  // The base64 may hold a plus sign of its own.
  const [, name, hash, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(verifierKey) as unknown as [
    string,
    string,
    string,
    string,
  ]
  const typed = Buffer.from(encoded, 'base64')
  expect(typed[0]).toBe(1)
  expect(createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 8)).toBe(hash)
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)])
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const [text, signatures] = signed.split('\n\n') as [string, string]
  const [dash, signer, blob] = signatures.trimEnd().split(' ') as [string, string, string]
  const bytes = Buffer.from(blob, 'base64')
  const holds = dash === '\u2014' && signer === name && bytes.subarray(0, 4).toString('hex') === hash
  return holds && verify(null, Buffer.from(`${text}\n`), publicKey, bytes.subarray(4)) ? text.split('\n') : undefined
}

describe('a checkpoint', () => {
  it('is a signed note that a verifier written from the specification accepts', () => {
    const lines = verifiedByTheBook(checkpointVerifierKey(key.publicKey, 'org_1'), note)
    const root = Buffer.from(head.hash, 'hex').toString('base64')
    expect(lines).toEqual(['interview-integrity/audit/org_1', '12345', root])
  })

  it('reads back as the head it states', () => {
    expect(verifyCheckpoint([key.publicKey], 'org_1', note)).toEqual({ status: 'verified', head })
  })

  it('is signed by the same key whenever the master key is the same', () => {
    expect(signCheckpoint(checkpointKey(createKeyring(master)), 'org_1', head)).toBe(note)
  })

  it('of another organisation is not valid here', () => {
    expect(verifyCheckpoint([key.publicKey], 'org_2', note)).toEqual(invalid)
    expect(verifyCheckpoint([key.publicKey], 'org_2', note.replaceAll('org_1', 'org_2'))).toEqual({
      status: 'unknown_key',
      head,
    })
  })

  it('by the key of another master key is told apart from a false one', () => {
    const other = checkpointKey(createKeyring(randomBytes(32)))
    expect(verifyCheckpoint([other.publicKey], 'org_1', note)).toEqual({ status: 'unknown_key', head })
  })

  it('is not verified after any single character of it was changed', () => {
    for (let i = 0; i < note.length; i++) {
      const changed = `${note.slice(0, i)}${note[i] === 'A' ? 'B' : 'A'}${note.slice(i + 1)}`
      expect(verifyCheckpoint([key.publicKey], 'org_1', changed).status).not.toBe('verified')
    }
  })

  it('by any of several keys is verified, and a key is read from its text form', () => {
    const text = checkpointVerifierKey(key.publicKey, 'org_2')
    const earlier = parseVerifierKey(text)!
    const own = checkpointKey(createKeyring(randomBytes(32))).publicKey
    expect(verifyCheckpoint([own, earlier], 'org_1', note)).toEqual({ status: 'verified', head })
    for (const other of ['', text.slice(1), `${text}A`, text.replace(/\+[0-9a-f]{8}\+/, '+00000000+'), 'a+b+c'])
      expect(parseVerifierKey(other)).toBeUndefined()
  })

  it('may carry signatures of others, which are ignored, and extension lines, which are signed', () => {
    const witness = `\u2014 witness.example ${randomBytes(68).toString('base64')}\n`
    expect(verifyCheckpoint([key.publicKey], 'org_1', `${note}${witness}`)).toEqual({ status: 'verified', head })
    const extended = note.replace('\n\n', '\nextension\n\n')
    expect(verifyCheckpoint([key.publicKey], 'org_1', extended)).toEqual(invalid)
  })

  it.each([
    ['nothing', ''],
    ['no signature', note.slice(0, note.indexOf('\n\n') + 2)],
    ['no empty line', note.replace('\n\n', '\n')],
    ['no end of line', note.slice(0, -1)],
    ['a size with a leading zero', note.replace('12345', '012345')],
    ['a size of zero', note.replace('12345', '0')],
    ['a short root', note.replace(/\n[^\n]+=\n\n/, '\nAAAA\n\n')],
  ])('with %s is refused', (_name, text) => {
    expect(verifyCheckpoint([key.publicKey], 'org_1', text)).toEqual(invalid)
  })

  it('is not made for a chain without rows', () => {
    expect(() => signCheckpoint(key, 'org_1', { seq: 0, hash: '' })).toThrow(TypeError)
  })
})
