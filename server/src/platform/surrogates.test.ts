import { describe, expect, it } from 'vitest'
import { halvesIn, withoutHalves } from './surrogates.ts'

describe('half a surrogate pair in a parsed body', () => {
  it('becomes U+FFFD, and where it stood is known', () => {
    const value = withoutHalves(JSON.parse('{"a":[{"b":"x\\ud83d"},"whole \\ud83d\\ude00"],"c":1,"d\\udc00":null}'))
    expect(value).toEqual({ a: [{ b: 'x\ufffd' }, 'whole \u{1f600}'], c: 1, 'd\ufffd': null })
    expect(halvesIn(value)).toEqual(['a.0.b', 'd\ufffd'])
  })

  it('is nowhere in a body without one', () => {
    const value = withoutHalves({ a: ['\u{1f600}'], b: null, c: 2 })
    expect(halvesIn(value)).toEqual([])
    expect(halvesIn('text')).toEqual([])
  })
})
