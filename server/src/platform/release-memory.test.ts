import { describe, expect, it } from 'vitest'
import { releaseMemory } from './release-memory.ts'

describe('releasing memory', () => {
  it('frees a buffer of its own memory', () => {
    const buffer = Buffer.allocUnsafeSlow(100_000)
    releaseMemory(buffer)
    expect([buffer.length, buffer.buffer.byteLength]).toEqual([0, 0])
  })

  it('leaves memory alone that others share', () => {
    const whole = Buffer.alloc(100, 7)
    const shared = Buffer.from(new SharedArrayBuffer(10)).fill(7)
    releaseMemory(whole.subarray(0, 50))
    releaseMemory(shared)
    expect([whole.length, whole[99], shared[9]]).toEqual([100, 7, 7])
  })
})
