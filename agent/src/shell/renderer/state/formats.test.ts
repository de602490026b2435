import { describe, expect, it } from 'vitest'
import { elapsed, percent } from './formats.ts'

describe('what the window writes', () => {
  it('counts hours, minutes and seconds, and nothing below zero', () => {
    expect([0, 999, 61_000, 3_599_999, 36_000_000, -5].map(elapsed)).toEqual([
      '0:00:00',
      '0:00:00',
      '0:01:01',
      '0:59:59',
      '10:00:00',
      '0:00:00',
    ])
  })

  it('writes shares the way of the language', () => {
    expect([0.456, 2, -1].map((share) => percent(share, 'en'))).toEqual(['46%', '100%', '0%'])
  })
})
