import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rememberSha256, sha256After, sha256Of } from './known-sha256.ts'

const hex = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest('hex')

describe('a SHA-256 reckoned on arrival', () => {
  it('is given out as often as it is asked for, and can be gone on with', () => {
    const [first, second] = [randomBytes(100), randomBytes(50)]
    rememberSha256(first, createHash('sha256').update(first.subarray(0, 30)).update(first.subarray(30)))
    expect([sha256Of(first), sha256Of(first)]).toEqual([hex(first), hex(first)])
    expect(sha256After(first).update(second).digest('hex')).toBe(hex(first, second))
    expect(sha256Of(first)).toBe(hex(first))
  })

  it('belongs to that buffer alone; of any other it is reckoned from the bytes', () => {
    const bytes = randomBytes(64)
    rememberSha256(bytes, createHash('sha256').update('something else'))
    expect(sha256Of(bytes.subarray(0))).toBe(hex(bytes))
    expect(sha256After(randomBytes(8)).update('x').digest('hex')).toHaveLength(64)
  })
})
