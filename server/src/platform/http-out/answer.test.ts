import { describe, expect, it } from 'vitest'
import { excerptOf, retryAfterMs } from './answer.ts'

const now = Date.parse('2026-09-04T10:00:00.000Z')

describe('retryAfterMs', () => {
  it('reads seconds', () => {
    expect(retryAfterMs('120', now)).toBe(120_000)
    expect(retryAfterMs('0', now)).toBe(0)
  })

  it.each(['Fri, 04 Sep 2026 10:01:00 GMT', 'Friday, 04-Sep-26 10:01:00 GMT', 'Fri Sep  4 10:01:00 2026'])(
    'reads the HTTP-date %s',
    (date) => {
      expect(retryAfterMs(date, now)).toBe(60_000)
    },
  )

  it('does not wait for a date that has passed', () => {
    expect(retryAfterMs('Fri, 04 Sep 2026 09:00:00 GMT', now)).toBe(0)
  })

  it.each(['soon', '-5', '1.5', '2026-09-04T10:01:00Z', ''])('ignores %j', (text) => {
    expect(retryAfterMs(text, now)).toBeUndefined()
  })

  it('ignores an absent header', () => {
    expect(retryAfterMs(undefined, now)).toBeUndefined()
  })
})

describe('excerptOf', () => {
  it('leaves out a character that is cut at the end', () => {
    expect(excerptOf([Buffer.from('grün').subarray(0, 3)])).toBe('gr')
  })

  it('joins a character that was split over two chunks', () => {
    const bytes = Buffer.from('grün')
    expect(excerptOf([bytes.subarray(0, 3), bytes.subarray(3)])).toBe('grün')
  })

  it('replaces control characters, marks of direction and bytes that are not text', () => {
    expect(excerptOf([Buffer.from('a\u0000b\u001bc\u202ed\te\n')])).toBe('a\ufffdb\ufffdc\ufffdd\te\n')
    expect(excerptOf([Buffer.from([0x61, 0xff, 0x62])])).toBe('a\ufffdb')
  })
})
