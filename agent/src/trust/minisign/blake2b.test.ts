import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { blake2b512 } from './blake2b.ts'

it('gives the digest of RFC 7693, appendix A', () => {
  expect(blake2b512(Buffer.from('abc')).toString('hex')).toBe(
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  )
})

it('agrees with OpenSSL for messages of every length around its blocks', () => {
  for (const length of [0, 1, 63, 64, 127, 128, 129, 255, 256, 257, 1000, 4096, 10_001]) {
    const message = randomBytes(length)
    expect(blake2b512(message).equals(createHash('blake2b512').update(message).digest()), `${length} bytes`).toBe(true)
  }
})
