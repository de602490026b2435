import { describe, expect, it } from 'vitest'
import { spanWords, tookWords } from './spans.ts'

const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, ' ')

describe('how long something took', () => {
  it.each([
    [0, '0 sec'],
    [12_340, '12.3 sec'],
    [61_000, '1 min 1 sec'],
    [3_599_000, '59 min 59 sec'],
    [3_840_000, '1 hr 4 min'],
    [90_000_000, '25 hr 0 min'],
  ])('%i ms is %s', (ms, words) => {
    expect(plain(spanWords(ms, 'en-US'))).toBe(words)
  })
})

describe('how long an answer took', () => {
  it.each([
    [0, '0 ms'],
    [12.4, '12 ms'],
    [999, '999 ms'],
    [1200, '1.2 sec'],
  ])('%i ms is %s', (ms, words) => {
    expect(plain(tookWords(ms, 'en-US'))).toBe(words)
  })
})
