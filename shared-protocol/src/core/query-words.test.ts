import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { idFilter, wordsOf } from './query-words.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('a list of words in a query', () => {
  const words = wordsOf(['a.b', 'c.d'], { most: 3, also: ['none'] })

  it('takes known ones, and what stands for none of them by itself', () => {
    for (const text of ['a.b', 'a.b,c.d', ' a.b , c.d ', 'a.b,a.b,a.b', 'none'])
      expect(takes(words, text), text).toBe(true)
  })

  it('refuses one that is not known wherever it stands, nothing between commas, and more than may be asked for', () => {
    const refused = [
      '',
      'a.c',
      'a.b,c.x',
      'c.x,a.b',
      'A.B',
      'a.b,',
      ',a.b',
      'a.b;c.d',
      '*',
      'a.b,none',
      'a.b,'.repeat(4),
    ]
    for (const text of [...refused, Array(4).fill('a.b').join(',')]) expect(takes(words, text), text).toBe(false)
  })

  it('names the one that is not known and those that are', () => {
    const [issue] = words.safeParse('a.b,c.x', { reportInput: true }).error?.issues ?? []
    expect(issue).toMatchObject({ code: 'invalid_value', input: 'c.x', values: ['a.b', 'c.d', 'none'] })
  })
})

describe('an id to find by', () => {
  it('is of its kind', () => {
    const filter = idFilter('ses', 'a session')
    for (const text of ['ses_1', 'ses_01jz']) expect(takes(filter, text), text).toBe(true)
    for (const text of ['', 'ses_', 'usr_1', 'ext-7', '1', 'ses_1\n', "ses_' OR 1=1", `ses_${'x'.repeat(61)}`])
      expect(takes(filter, text), text).toBe(false)
  })
})
