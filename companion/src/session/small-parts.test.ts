import { maxPreviewBytes, placementSteps, showJoinCode } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { decodeBase64, encodeBase64 } from '../platform/base64.ts'
import { encodeBase64 as encodeInBrowser } from '../platform/base64.web.ts'
import { findCode, serviceOf } from './join-code.ts'
import { steps } from './session.types.ts'

describe('what the phone repeats of the contract', () => {
  it('is the registry word for word', () => {
    expect(steps).toEqual(placementSteps)
    // A preview is 640 pixels wide at quality 0.6: one byte for each pixel would still fit.
    expect(640 * 640).toBeLessThan(maxPreviewBytes)
  })
})

describe('a code', () => {
  it('is found as it is typed, and in a link', () => {
    const code = showJoinCode('K7QF2M9X')
    for (const text of [code, ' k7qf 2m9x ', `https://x.example/companion/#${code}`, `app://join#${code}`])
      expect(findCode(text)).toBe('K7QF2M9X')
  })

  it('is not found where there is none', () => {
    for (const text of ['', 'K7QF-2M9', 'K7QF-2M9XX', 'https://x.example/companion/', 'K7QF/2M9X', '        '])
      expect(findCode(text)).toBeUndefined()
  })

  it('in a link says which service it is of, also under a path prefix', () => {
    expect(serviceOf('https://x.example/companion/#K7QF-2M9X')).toBe('https://x.example')
    expect(serviceOf('http://10.0.0.2:8787/a/b/companion#K7QF2M9X')).toBe('http://10.0.0.2:8787/a/b')
    expect(serviceOf('K7QF-2M9X')).toBeUndefined()
    expect(serviceOf('javascript:alert(1)/companion/#K7QF2M9X')).toBeUndefined()
  })
})

describe.each([
  ['of a phone', encodeBase64],
  ['of a browser', encodeInBrowser],
])('the base64 %s', (_of, encode) => {
  it('is that of Node for every length and every byte', () => {
    for (let length = 0; length < 520; length += 13) {
      const bytes = Uint8Array.from({ length }, (_b, n) => (n * 37) % 256)
      expect(encode(bytes.buffer)).toBe(Buffer.from(bytes).toString('base64'))
      expect([...new Uint8Array(decodeBase64(encode(bytes.buffer)))]).toEqual([...bytes])
    }
    const large = new Uint8Array(100_001).fill(201)
    expect(encode(large.buffer)).toBe(Buffer.from(large).toString('base64'))
  })
})
