import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgeError } from './age-error.ts'
import { createKeyring, KeyringError, type KeyringErrorCode } from './keyring.ts'
import { loadMasterKey } from './master-key.ts'

const failure = (code: KeyringErrorCode) =>
  expect.toSatisfy((error: unknown) => error instanceof KeyringError && error.code === code, `KeyringError ${code}`)
const codeOf = (work: () => unknown) => {
  try {
    work()
    return 'no error'
  } catch (error) {
    return error instanceof KeyringError ? error.code : 'another error'
  }
}

describe('keyring', () => {
  const master = randomBytes(32)
  const keyring = createKeyring(master)

  it('opens what it wrapped, in the same context only', () => {
    const wrapped = keyring.wrap(Buffer.from('secret'), 'webhook:whk_1')
    expect(keyring.unwrap(wrapped, 'webhook:whk_1').toString()).toBe('secret')
    expect(codeOf(() => keyring.unwrap(wrapped, 'webhook:whk_2'))).toBe('unwrap_failed')
    expect(createKeyring(master).unwrap(wrapped, 'webhook:whk_1').toString()).toBe('secret')
    expect(keyring.wrap(Buffer.from('secret'), 'webhook:whk_1')).not.toBe(wrapped)
    expect(keyring.wrap(Buffer.alloc(0), 'x').startsWith(`v1.${keyring.keyId}.`)).toBe(true)
    expect(keyring.unwrap(keyring.wrap(Buffer.alloc(0), 'x'), 'x')).toHaveLength(0)
  })

  it('any changed character is an error', () => {
    const wrapped = keyring.wrap(Buffer.from('secret!'), 'x')
    fc.assert(
      fc.property(fc.nat(wrapped.length - 1), fc.constantFrom('A', 'a', '0', '_', '-', '.', '='), (at, character) => {
        fc.pre(wrapped[at] !== character)
        const changed = wrapped.slice(0, at) + character + wrapped.slice(at + 1)
        expect(codeOf(() => keyring.unwrap(changed, 'x'))).toMatch(/^(unwrap_failed|unknown_key)$/)
      }),
    )
    // The last character carries two bits that decode to nothing: only one of four spellings is ours.
    for (const character of Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')) {
      if (wrapped.endsWith(character)) continue
      expect(codeOf(() => keyring.unwrap(wrapped.slice(0, -1) + character, 'x'))).toBe('unwrap_failed')
    }
    for (const text of ['', 'v1', 'v1.x', 'v1.x.y', `${wrapped}.x`]) {
      expect(codeOf(() => keyring.unwrap(text, 'x'))).toBe('unwrap_failed')
    }
  })

  it('a value of another master key says so; given as a previous one it opens', () => {
    const wrapped = keyring.wrap(Buffer.from('secret'), 'x')
    const next = randomBytes(32)
    expect(codeOf(() => createKeyring(next).unwrap(wrapped, 'x'))).toBe('unknown_key')
    const rotated = createKeyring(next, [master])
    expect(rotated.unwrap(wrapped, 'x').toString()).toBe('secret')
    expect(rotated.wrap(Buffer.from('new'), 'x')).toContain(`.${createKeyring(next).keyId}.`)
  })

  it('derives a stable key for each label and never the same for two', () => {
    const derive = (label: string, from = keyring) => from.deriveKey(label).export().toString('hex')
    expect(derive('download-token')).toBe(derive('download-token', createKeyring(master)))
    expect(derive('download-token')).not.toBe(derive('cursor'))
    expect(derive('download-token')).not.toBe(derive('download-token', createKeyring(randomBytes(32))))
  })

  it('makes identities that open for their own organisation only', () => {
    const { recipient, wrappedIdentity } = keyring.newOrgIdentity('org_a')
    expect(keyring.openOrgIdentity(wrappedIdentity, 'org_a').recipient).toBe(recipient)
    expect(codeOf(() => keyring.openOrgIdentity(wrappedIdentity, 'org_b'))).toBe('unwrap_failed')
    const notAnIdentity = keyring.wrap(Buffer.from('x'), 'org-identity:org_a')
    expect(() => keyring.openOrgIdentity(notAnIdentity, 'org_a')).toThrow(AgeError)
  })

  it('refuses a master key of another length', () => {
    expect(codeOf(() => createKeyring(randomBytes(31)))).toBe('invalid_master_key')
  })
})

describe('the master key', () => {
  let folder: string
  let keyFile: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'master-key-'))
    keyFile = join(folder, 'data', 'master.key')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is read from the value as hex or base64, and then no file is made', async () => {
    const key = Buffer.from('fb'.repeat(32), 'hex')
    const texts = [key.toString('hex'), key.toString('hex').toUpperCase(), key.toString('base64')]
    for (const value of [...texts, key.toString('base64url'), `${key.toString('base64')}\n`]) {
      expect((await loadMasterKey({ value, keyFile })).equals(key)).toBe(true)
    }
    expect(await readdir(folder)).toEqual([])
  })

  it.each(['', ' ', 'password', 'ab'.repeat(31), 'ab'.repeat(33), '!'.repeat(43)])(
    'a value that is set but no key (%j) is an error that does not repeat it',
    async (value) => {
      const loading = loadMasterKey({ value, keyFile })
      await expect(loading).rejects.toEqual(failure('invalid_master_key'))
      await expect(loading).rejects.toThrow(/^MASTER_KEY is not 32 bytes as 64 hex digits or base64$/)
      expect(await readdir(folder)).toEqual([])
    },
  )

  it('is made on first start, private to its owner, and the same on the next', async () => {
    const key = await loadMasterKey({ keyFile })
    expect(key).toHaveLength(32)
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'data'))).toEqual(['master.key'])
    expect((await loadMasterKey({ keyFile })).equals(key)).toBe(true)
    expect((await readFile(keyFile, 'utf8')).trim()).toBe(key.toString('base64'))
  })

  it('is not made beside a database that knows one', async () => {
    const loading = loadMasterKey({ keyFile, known: '0123abcd' })
    await expect(loading).rejects.toEqual(failure('other_master_key'))
    await expect(loading).rejects.toThrow(/0123abcd.*MASTER_KEY.*backup/s)
    expect(await readdir(folder)).toEqual([])
  })

  it('of many first starts at once all get the same key', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadMasterKey({ keyFile })))
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(await readdir(join(folder, 'data'))).toEqual(['master.key'])
  })

  it('a file that others can read, or that holds no key, is an error and is not replaced', async () => {
    await loadMasterKey({ keyFile })
    await chmod(keyFile, 0o640)
    await expect(loadMasterKey({ keyFile })).rejects.toEqual(failure('invalid_master_key'))
    await chmod(keyFile, 0o600)
    await writeFile(keyFile, '')
    await expect(loadMasterKey({ keyFile })).rejects.toEqual(failure('invalid_master_key'))
    expect(await readFile(keyFile, 'utf8')).toBe('')
  })
})
