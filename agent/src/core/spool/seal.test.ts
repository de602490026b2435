import { describe, expect, it } from 'vitest'
import { seal, unseal } from './seal.ts'

const key = Buffer.alloc(32, 1)
const words = Buffer.from('the door is open')

describe('what is sealed on the disk', () => {
  it('opens with its key for its purpose, and for no other', () => {
    const sealed = seal(key, 'item', words)
    expect(unseal(key, 'item', sealed).equals(words)).toBe(true)
    expect(() => unseal(key, 'event', sealed)).toThrow()
    expect(() => unseal(Buffer.alloc(32, 2), 'item', sealed)).toThrow()
  })

  it('is never sealed alike twice: no key and nonce are used again', () => {
    const [first, second] = [seal(key, 'item', words), seal(key, 'item', words)]
    expect(first.subarray(4, 36).equals(second.subarray(4, 36))).toBe(false)
    expect(first.subarray(36).equals(second.subarray(36))).toBe(false)
  })

  it('does not open cut or altered', () => {
    const sealed = seal(key, 'item', words)
    expect(() => unseal(key, 'item', sealed.subarray(0, -1))).toThrow()
    sealed[40]! ^= 1
    expect(() => unseal(key, 'item', sealed)).toThrow()
  })
})
