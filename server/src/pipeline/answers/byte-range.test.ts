import { describe, expect, it } from 'vitest'
import { readRange } from './byte-range.ts'

describe('a Range header', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=10-19', { start: 10, end: 20 }],
    ['bytes=90-', { start: 90, end: 100 }],
    ['bytes=90-1000', { start: 90, end: 100 }],
    ['bytes=-10', { start: 90, end: 100 }],
    ['bytes=-1000', { start: 0, end: 100 }],
    ['Bytes=5-6', { start: 5, end: 7 }],
  ])('%s of 100 bytes is one range', (header, range) => {
    expect(readRange(header, 100)).toEqual(range)
  })

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s of 100 bytes lies beyond the end', (header) => {
    expect(readRange(header, 100)).toBe('unsatisfiable')
  })

  it.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=5-4', 'bytes=0-1,4-5', 'items=0-1', 'bytes=a-b'])(
    '%s asks for the whole',
    (header) => {
      expect(readRange(header, 100)).toBeUndefined()
    },
  )
})
