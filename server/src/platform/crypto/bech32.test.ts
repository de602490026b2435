import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bech32Error, decodeBech32, encodeBech32 } from './bech32.ts'

describe('bech32', () => {
  it('knows the valid strings of BIP 173', () => {
    expect(decodeBech32('A12UEL5L')).toEqual({ prefix: 'a', data: Buffer.alloc(0) })
    const split = 'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w'
    const { prefix, data } = decodeBech32(split)
    expect(encodeBech32(prefix, data)).toBe(split)
    expect(data.toString('hex')).toBe('c5f38b70305f519bf66d85fb6cf03058f3dde463ecd7918f2dc743918f2d')
  })

  it.each([
    ['a wrong checksum', 'A12UEL5M'],
    ['mixed case', 'a12UEL5L'],
    ['no separator', 'pzry9x0s0muk'],
    ['an empty prefix', '1pzry9x0s0muk'],
    ['a foreign character', 'x1b4n0q5v'],
    ['a checksum cut short', 'li1dgmt3'],
    ['nothing', ''],
    ['non-zero padding', 'test1qr35xu5k'],
  ])('refuses %s', (_, text) => {
    expect(() => decodeBech32(text)).toThrow(Bech32Error)
  })

  it('holds nothing of the text in its error', () => {
    const error = (() => {
      try {
        return decodeBech32('AGE-SECRET-KEY-1QQQQQQQQ')
      } catch (caught) {
        return caught
      }
    })()
    expect(inspect(error)).not.toMatch(/QQQQ/i)
  })

  it('gives back any bytes, and notices any changed character', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(), fc.nat(), (data, place, shift) => {
        const text = encodeBech32('age', data)
        expect(decodeBech32(text).data.equals(data)).toBe(true)
        const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
        const at = 4 + (place % (text.length - 4))
        const other = alphabet[(alphabet.indexOf(text[at]!) + 1 + (shift % 31)) % 32]
        expect(() => decodeBech32(text.slice(0, at) + other + text.slice(at + 1))).toThrow(Bech32Error)
      }),
      { numRuns: 100 },
    )
  })
})
