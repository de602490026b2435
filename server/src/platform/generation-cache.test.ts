import { expect, it } from 'vitest'
import { GenerationCache, remembering } from './generation-cache.ts'

it('never holds more than its limit', () => {
  const cache = new GenerationCache<number>(10)
  for (let n = 0; n < 1_000; n += 1) {
    cache.set(`k${n}`, n)
    expect(cache.size).toBeLessThanOrEqual(10)
  }
})

it('keeps what is asked for again and drops what is not', () => {
  const cache = new GenerationCache<number>(10)
  cache.set('hot', 1)
  cache.set('cold', 2)
  for (let n = 0; n < 100; n += 1) {
    expect(cache.get('hot')).toBe(1)
    cache.set(`k${n}`, n)
  }
  expect(cache.get('cold')).toBeUndefined()
  cache.clear()
  expect(cache.get('hot')).toBeUndefined()
})

it('makes each text once while it comes again, whatever comes of it', () => {
  const made: string[] = []
  const parse = remembering((text): unknown => {
    made.push(text)
    return JSON.parse(text)
  })
  for (const text of ['null', '{"a":1}', 'null', '{"a":1}']) expect(parse(text)).toEqual(JSON.parse(text))
  expect(() => parse('{')).toThrow(SyntaxError)
  expect(() => parse('{')).toThrow(SyntaxError)
  expect(made).toEqual(['null', '{"a":1}', '{', '{'])
})
