import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { constantTimeEqual, hashSecret, newSecret } from './secrets.ts'

describe('secrets', () => {
  it('carry their prefix and 32 base62 characters, and are stored as SHA-256', () => {
    const { token, hash } = newSecret('sk_test_')
    expect(token).toMatch(/^sk_test_[0-9A-Za-z]{32}$/)
    expect(hash).toBe(createHash('sha256').update(token).digest('hex'))
    expect(hashSecret(token)).toBe(hash)
  })

  it('never repeat, and use every character', () => {
    const tokens = Array.from({ length: 500 }, () => newSecret('').token)
    expect(new Set(tokens).size).toBe(500)
    expect(new Set(tokens.join('')).size).toBe(62)
  })

  it('compare as equal only when they are, whatever their lengths', () => {
    expect(constantTimeEqual('abc', 'abc')).toBe(true)
    for (const [a, b] of [
      ['abc', 'abd'],
      ['abc', 'ab'],
      ['', 'a'],
      ['é', 'e'],
    ] as const) {
      expect(constantTimeEqual(a, b)).toBe(false)
    }
  })
})
