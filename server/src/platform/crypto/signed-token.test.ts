import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sign, verify } from './signed-token.ts'

const key = createSecretKey(randomBytes(32))
const grant = { objectId: 'evd_1', orgId: 'org_a', expiresAt: 1_000_000, kind: 'evidence' }
const alphabet = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ')

describe('download tokens', () => {
  it('give back the grant until the very millisecond of expiry', () => {
    const token = sign(grant, key)
    expect(token).toMatch(/^dlt_[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/)
    expect(verify(token, key, 999_999)).toEqual(grant)
    expect(verify(token, key, 1_000_000)).toBe('expired')
    expect(verify(token, key, 2_000_000)).toBe('expired')
    for (const kind of ['api_key', 'user', 'link']) {
      const ofOne = { ...grant, by: { kind, id: 'key_1', madeAt: 700_000 } }
      expect(verify(sign(ofOne, key), key, 0)).toEqual(ofOne)
    }
  })

  it('any changed, missing or added character is invalid, never expired', () => {
    const token = sign(grant, key)
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...alphabet), (at, character) => {
        fc.pre(token[at] !== character)
        expect(verify(token.slice(0, at) + character + token.slice(at + 1), key, 2_000_000)).toBe('invalid')
        expect(verify(token.slice(0, at), key, 0)).toBe('invalid')
        expect(verify(token + character, key, 0)).toBe('invalid')
      }),
      { numRuns: 300 },
    )
  })

  it('a token of another key, and text that is no token, are invalid', () => {
    expect(verify(sign(grant, createSecretKey(randomBytes(32))), key, 0)).toBe('invalid')
    for (const text of ['', '.', 'dlt_', 'dlt_.', 'x'.repeat(5000)]) expect(verify(text, key, 0)).toBe('invalid')
  })

  it('a signed text that is not a grant is invalid', () => {
    for (const content of [
      '[]',
      '{}',
      '["evidence","org_a","evd_1","soon"]',
      '[1,2,3,4]',
      'null',
      '["e","o","i",1,2,3]',
      '["e","o","i",1,"key_1"]',
      '["e","o","i",1,"key_1",2,3]',
      '["e","o","i",1,"key_1",2,"user",4]',
    ]) {
      const body = `dlt_${Buffer.from(content).toString('base64url')}`
      const mac = createHmac('sha256', key).update(body).digest('base64url')
      expect(verify(`${body}.${mac}`, key, 0)).toBe('invalid')
    }
  })

  it('fields cannot flow into one another', () => {
    const shifted = { ...grant, orgId: 'org_', objectId: 'aevd_1' }
    expect(sign(shifted, key)).not.toBe(sign(grant, key))
    expect(verify(sign({ ...grant, objectId: 'a","b' }, key), key, 0)).toEqual({ ...grant, objectId: 'a","b' })
  })

  it('a grant too long for a token is refused when it is made', () => {
    expect(() => sign({ ...grant, objectId: 'x'.repeat(1000) }, key)).toThrow(RangeError)
  })
})
