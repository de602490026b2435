import { describe, expect, it } from 'vitest'
import type { Recognised } from '../../core/transcript/types.ts'
import { PocketsphinxLines } from './pocketsphinx-lines.ts'

const read = (...lines: string[]): Recognised[] => {
  const given: Recognised[] = []
  const reader = new PocketsphinxLines((recognised) => given.push(recognised))
  for (const line of lines) reader.line(line)
  return given
}

describe('what pocketsphinx_continuous prints', () => {
  it('becomes words with their times and the mean of their probabilities, without marks and ways of saying', () => {
    const given = read(
      'the houses green',
      '<s> 13.990 14.060 0.999600',
      'the 14.070 14.280 1.000000',
      'houses(2) 15.900 16.340 0.200000',
      '<sil> 16.340 16.350 0.904013',
      'green 16.350 16.750 0.900000',
      '[NOISE] 16.760 16.880 0.442907',
      '</s> 16.890 17.070 1.000000',
    )
    expect(given).toEqual([
      { startMs: 14_070, endMs: 16_750, text: 'the houses green', final: true, confidence: expect.closeTo(0.7) },
    ])
  })

  it('is given as soon as the last word is there, and nothing is made of a noise without words', () => {
    expect(read('', '<s> 0.000 0.580 1.000000', '</s> 0.590 1.100 1.000000')).toEqual([])
    expect(read('one two', 'one 0.100 0.200 1.000000')).toEqual([])
    expect(read('one two', 'one 0.100 0.200 1.000000', 'two 0.300 0.400 1.000000')).toHaveLength(1)
  })

  it('is not lost when lines are missing: the next utterance begins anew', () => {
    const given = read('one two', 'one 0.100 0.200 1.000000', 'three', 'three 1.000 1.200 1.000000')
    expect(given.map(({ text }) => text)).toEqual(['one', 'three'])
  })

  it('comes in pieces of half a minute when somebody speaks without a pause', () => {
    const words = Array.from({ length: 80 }, (_, index) => `word ${index}.000 ${index}.900 0.500000`)
    const given = read(Array.from({ length: 80 }, () => 'word').join(' '), ...words)
    expect(given.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 29_900],
      [30_000, 59_900],
      [60_000, 79_900],
    ])
  })
})
