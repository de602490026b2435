import { describe, expect, it } from 'vitest'
import { decodeFrame, encodeFrame } from './frames.ts'

describe('a frame', () => {
  it('carries a message with its bytes, and one without', () => {
    const bytes = Uint8Array.from([0, 255, 1, 254])
    expect(decodeFrame(encodeFrame({ answer: 7, value: { label: 'Größe' }, bytes }))).toEqual({
      answer: 7,
      value: { label: 'Größe' },
      bytes,
    })
    expect(decodeFrame(encodeFrame({ answer: 8, value: null }))).toEqual({ answer: 8, value: null })
    expect(decodeFrame(encodeFrame({ answer: 9, bytes: new Uint8Array() }))).toEqual({
      answer: 9,
      bytes: new Uint8Array(),
    })
  })

  it('is read wherever it lies in a larger buffer', () => {
    const frame = encodeFrame({ answer: 1, bytes: Uint8Array.from([5, 6]) })
    const larger = new Uint8Array(frame.length + 9)
    larger.set(frame, 7)
    expect(decodeFrame(larger.subarray(7, 7 + frame.length))).toEqual({ answer: 1, bytes: Uint8Array.from([5, 6]) })
  })

  it.each([
    ['too short', Uint8Array.from([0, 0])],
    ['shorter than it says', Uint8Array.from([0, 0, 0, 9, 123, 125])],
    ['not JSON', Uint8Array.from([0, 0, 0, 2, 120, 120])],
    ['not an object', Uint8Array.from([0, 0, 0, 2, 91, 93])],
  ])('that is %s is none', (_what, frame) => {
    expect(decodeFrame(frame)).toBeUndefined()
  })
})
