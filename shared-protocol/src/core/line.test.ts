import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, lineOf } from './line.ts'
import { oneLine } from './primitives.ts'

describe('a line of somebody else', () => {
  it('keeps the joiners that Sinhala, Persian and emoji are written with', () => {
    for (const name of [
      '\u0dc1\u0dca\u200d\u0dbb\u0dd2\u0dba\u0dcf\u0db1\u0dd2',
      '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627',
      '\u{1f469}\u200d\u{1f52c}',
    ])
      expect(lineOf(name, 200)).toBe(name)
  })

  it('is one line in one direction', () => {
    expect(lineOf(' Ada\r\nLove\u202elace\u0000 ', 200)).toBe('Ada Love lace')
  })

  it('is cut between letters, not within one', () => {
    expect(lineOf(`${'x'.repeat(199)}\u{1f600}`, 200)).toBe('x'.repeat(199))
    expect(lineOf(`${'x'.repeat(198)}\u{1f600}`, 200)).toBe(`${'x'.repeat(198)}\u{1f600}`)
    expect(lineOf(`${'x'.repeat(199)}e\u0301`, 200)).toBe('x'.repeat(199))
    expect(lineOf(`${'x'.repeat(197)}\u{1f469}\u200d\u{1f52c}`, 200)).toBe('x'.repeat(197))
    expect(lineOf('\ud800', 200)).toBe('\ufffd')
    // More marks on one letter than fit.
    expect(lineOf(`e${'\u0301'.repeat(300)}`, 200)).toHaveLength(200)
    expect(cutText('\u{1f600}', 1)).toBe('')
  })

  it('is what the interface takes for one, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (text, most) => {
        const line = lineOf(text, most)
        return line === '' || oneLine(most).parse(line) === line
      }),
    )
  })
})
