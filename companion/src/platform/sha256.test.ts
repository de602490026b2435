import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { sha256 } from './sha256.ts'

it('is the SHA-256 of Node at every length around a block, and of a large picture', () => {
  for (const length of [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 300_007]) {
    const bytes = Uint8Array.from(randomBytes(length))
    expect(sha256(bytes.buffer)).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})
