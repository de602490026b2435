import { createHash, randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { hashBytes } from './hash-bytes.ts'

const plain = (...parts: (Buffer | string)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
const megabyte = 1024 * 1024

describe('hashBytes', () => {
  it.each([0, 1, megabyte, megabyte + 1, 5 * megabyte - 3])('is the SHA-256 of %i bytes', async (length) => {
    const bytes = randomBytes(length)
    expect((await hashBytes(bytes)).toString('hex')).toBe(plain(bytes))
    expect((await hashBytes('für', bytes, 'more')).toString('hex')).toBe(plain('für', bytes, 'more'))
  })

  it('lets others have their turn once for each megabyte', async () => {
    let [turns, isDone] = [0, false]
    const others = async () => {
      for (; !isDone; turns++) await nextTurn()
    }
    const waiting = others()
    await hashBytes(randomBytes(16 * megabyte))
    isDone = true
    await waiting
    expect(turns).toBeGreaterThanOrEqual(15)
  })
})
