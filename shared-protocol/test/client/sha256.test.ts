import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHasher, createPortableHasher, sha256Hex } from '../../client/src/hashing.ts'

const hash = (...pieces: Uint8Array[]) => {
  const hasher = createPortableHasher()
  for (const piece of pieces) hasher.update(piece)
  return hasher.digest()
}
const utf8 = (text: string) => new TextEncoder().encode(text)

describe('SHA-256 piece by piece', () => {
  // FIPS 180-4 examples and the Secure Hash Algorithm Validation System's long message of a million times "a".
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('has the published value', (text, expected) => {
    expect(hash(utf8(text))).toBe(expected)
  })

  it("agrees with the platform's for any bytes in any pieces, also from the middle of a buffer", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), async (pieces) => {
        const whole = Buffer.concat(pieces)
        const expected = createHash('sha256').update(whole).digest('hex')
        expect(hash(...pieces)).toBe(expected)
        expect(hash(Buffer.concat([Buffer.from('xyz'), whole]).subarray(3))).toBe(expected)
        expect(await sha256Hex(whole)).toBe(expected)
      }),
      { numRuns: 200 },
    )
  })

  it("is Node's own where there is one", () => {
    const hasher = createHasher()
    hasher.update(utf8('abc'))
    expect(hasher.digest()).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
