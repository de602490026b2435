import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasMinisign } from '../../../test/test-support/minisign.ts'
import { MinisignError, parsePublicKey } from './public-key.ts'
import { parseSecretKey, scryptCost } from './secret-key.ts'
import { isSignedBy, parseSignature, signMessage } from './signature.ts'

const about = { timestamp: 1_800_000_000, fileName: 'manifest.json' }
const none = (): Promise<string> => Promise.reject(new Error('no password is wanted'))

describe('the cost of a password', () => {
  it("is what libsodium makes of minisign's limits, and of smaller ones", () => {
    // crypto_pwhash_scryptsalsa208sha256_*_SENSITIVE, _INTERACTIVE, and the least that is accepted.
    expect(scryptCost(33_554_432, 1_073_741_824)).toEqual({ N: 2 ** 20, r: 8, p: 1 })
    expect(scryptCost(524_288, 16_777_216)).toEqual({ N: 2 ** 14, r: 8, p: 1 })
    expect(scryptCost(32_768, 16_777_216)).toEqual({ N: 2 ** 10, r: 8, p: 1 })
  })
})

describe.skipIf(!hasMinisign)("Debian's minisign", () => {
  const folder = mkdtempSync(join(tmpdir(), 'minisign-'))
  const at = (name: string) => join(folder, name)
  const minisign = (args: string[], input = '') => execFileSync('minisign', args, { cwd: folder, input, stdio: 'pipe' })
  const message = Buffer.from('{"kind":"update_manifest","text":"größer"}')

  beforeAll(() => {
    minisign(['-G', '-W', '-p', 'plain.pub', '-s', 'plain.key'])
    minisign(['-G', '-p', 'locked.pub', '-s', 'locked.key'], 'open sesame\nopen sesame\n')
    minisign(['-G', '-W', '-p', 'other.pub', '-s', 'other.key'])
    writeFileSync(at('manifest.json'), message)
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  const publicKey = (name: string) => parsePublicKey(readFileSync(at(`${name}.pub`), 'utf8'))
  const secretKey = (name: string, password = none) => parseSecretKey(readFileSync(at(`${name}.key`), 'utf8'), password)
  const theirs = (name: string, ...flags: string[]) => {
    minisign(['-S', '-s', `${name}.key`, '-m', 'manifest.json', '-x', 'theirs.minisig', ...flags])
    return readFileSync(at('theirs.minisig'), 'utf8')
  }

  it('accepts what we sign, with the trusted comment', async () => {
    writeFileSync(at('ours.minisig'), signMessage(message, await secretKey('plain'), about))
    const said = minisign(['-V', '-p', 'plain.pub', '-m', 'manifest.json', '-x', 'ours.minisig']).toString()
    expect(said).toContain('Signature and comment signature verified')
    expect(said).toContain('timestamp:1800000000\tfile:manifest.json\thashed')
  })

  it('signs what we accept: prehashed, and the older form', () => {
    for (const [flags, algorithm] of [
      [[], 'ED'],
      [['-l'], 'Ed'],
    ] as const) {
      const signature = parseSignature(theirs('plain', ...flags))
      expect(signature.algorithm).toBe(algorithm)
      expect(isSignedBy(message, signature, publicKey('plain'))).toBe(true)
      expect(isSignedBy(message, signature, publicKey('other'))).toBe(false)
      expect(isSignedBy(Buffer.concat([message, Buffer.from(' ')]), signature, publicKey('plain'))).toBe(false)
    }
  })

  it('shows the key by the same name', () => {
    const { keyId } = publicKey('plain')
    // Debian's prints it without leading zeros.
    expect(readFileSync(at('plain.pub'), 'utf8')).toContain(`key ${keyId.replace(/^0+/, '')}\n`)
    const signed = parseSignature(theirs('plain'))
    expect(signed.keyId).toBe(keyId)
  })

  it('made a key with a password, which we open with that one and with no other', async () => {
    const opened = await secretKey('locked', () => Promise.resolve('open sesame'))
    expect(opened.keyId).toBe(publicKey('locked').keyId)
    const signature = parseSignature(signMessage(message, opened, about))
    expect(isSignedBy(message, signature, publicKey('locked'))).toBe(true)
    const wrong = secretKey('locked', () => Promise.resolve('open sesamE'))
    await expect(wrong).rejects.toThrow('the password of this secret key is wrong')
  }, 60_000)

  it('and we refuse every signature in which one byte differs', () => {
    const good = theirs('plain')
    const lines = good.split('\n')
    const key = publicKey('plain')
    const accepted = (text: string): boolean => {
      try {
        return isSignedBy(message, parseSignature(text), key)
      } catch (error) {
        if (error instanceof MinisignError) return false
        throw error
      }
    }
    expect(accepted(good)).toBe(true)
    expect(accepted(good.replaceAll('\n', '\r\n'))).toBe(true)
    for (const index of [1, 3]) {
      const bytes = Buffer.from(lines[index] ?? '', 'base64')
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ 1
        expect(accepted(lines.with(index, changed.toString('base64')).join('\n')), `line ${index} byte ${at}`).toBe(
          false,
        )
      }
    }
    expect(accepted(lines.with(2, `${lines[2]}!`).join('\n'))).toBe(false)
    for (const broken of ['', lines.slice(0, 3).join('\n'), `${good}more`, good.replace('untrusted', 'trusted')])
      expect(accepted(broken)).toBe(false)
  })

  it('and we tell what is no key', async () => {
    for (const text of ['', 'key', readFileSync(at('plain.key'), 'utf8'), `${'A'.repeat(55)}=`])
      expect(() => parsePublicKey(text)).toThrow(MinisignError)
    for (const text of ['', readFileSync(at('plain.pub'), 'utf8')])
      await expect(parseSecretKey(text, none)).rejects.toThrow('not a minisign secret key')
    const [comment, line = ''] = readFileSync(at('plain.key'), 'utf8').split('\n')
    const bytes = Buffer.from(line, 'base64')
    bytes[70] = (bytes[70] ?? 0) ^ 1
    await expect(parseSecretKey(`${comment}\n${bytes.toString('base64')}\n`, none)).rejects.toThrow('damaged')
  })
})
