import { expect, it } from 'vitest'
import { Cache, remembering } from './cache.ts'

it('never holds more than its limit', () => {
  const cache = new Cache<number>({ limit: 10 })
  for (let n = 0; n < 1_000; n += 1) {
    cache.set(`k${n}`, n)
    expect(cache.size).toBeLessThanOrEqual(10)
  }
})

it('keeps what is asked for again and drops what is not', () => {
  const cache = new Cache<number>({ limit: 10 })
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

it('gives nothing that is too old, also when it was asked for meanwhile', () => {
  let now = 0
  const cache = new Cache<number>({ limit: 10, age: { ms: 100, now: () => now } })
  cache.set('a', 1)
  now = 99
  expect(cache.get('a')).toBe(1)
  now = 100
  expect([cache.get('a'), cache.size]).toEqual([undefined, 0])
})

it('forgets one key in either generation', () => {
  const cache = new Cache<number>({ limit: 4 })
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  for (const key of ['a', 'c']) cache.delete(key)
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 1, undefined])
})

it('makes a promise once for all who ask, and again when it was rejected', async () => {
  const cache = new Cache<Promise<string>>({ limit: 10 })
  let made = 0
  const ask = () =>
    cache.getOrMake('a', () => {
      made += 1
      return made === 1 ? Promise.reject(new Error('first')) : Promise.resolve(`made ${made}`)
    })
  await Promise.all([expect(ask()).rejects.toThrow('first'), expect(ask()).rejects.toThrow('first')])
  expect([await ask(), await ask(), made]).toEqual(['made 2', 'made 2', 2])
})
