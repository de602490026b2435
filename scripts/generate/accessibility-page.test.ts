import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { criteria } from '../accessibility/criteria.ts'
import { evidence } from '../accessibility/evidence.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('the accessibility statement', () => {
  it.each(Object.values(evidence))('rests on a test that exists: $file, $test', ({ file, test }) => {
    const titles = [...readFileSync(path.join(root, file), 'utf8').matchAll(/(['"`])((?:(?!\1).)+)\1/g)].map(
      ([, , title = '']) => title,
    )
    expect(titles.some((title) => title.startsWith(test))).toBe(true)
  })

  it('claims support only where a test looks', () => {
    const claimed = criteria.filter(({ result, tests = [] }) => result === 'supported' && tests.length === 0)
    expect(claimed).toEqual([])
  })

  it('has each criterion of levels A and AA of WCAG 2.2 once', () => {
    expect(new Set(criteria.map(({ number }) => number)).size).toBe(criteria.length)
    const levels = (level: string) => criteria.filter((criterion) => criterion.level === level).length
    expect([levels('A'), levels('AA')]).toEqual([31, 24])
  })
})
