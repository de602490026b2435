import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excessOf } from './json-shape.ts'

const bounds = { maxDepth: 64, maxValues: 1000 }
const of = (text: string, given = bounds) => excessOf(Buffer.from(text), given)

const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.values(value).reduce((n, one) => n + valuesIn(one), 1) : 1
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe('the bounds of a JSON text', () => {
  it('count siblings in lists and in objects', () => {
    expect(of(JSON.stringify(Array(998).fill(1)))).toBeUndefined()
    expect(of(JSON.stringify(Array(1001).fill(1)))).toBe('maxValues')
    const names = (n: number) => JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, k) => [`k${k}`, 1])))
    expect(of(names(998))).toBeUndefined()
    expect(of(names(1001))).toBe('maxValues')
  })

  it('count empty ones, too', () => expect(of(`[${Array(600).fill('[]').join(',')}]`)).toBe('maxValues'))

  it('count the names of each object by itself, and the items of lists not among them', () => {
    const few = { ...bounds, maxNames: 3 }
    const four = '{"a":1,"b":2,"c":3,"d":4}'
    expect(of(four, few)).toBe('maxNames')
    expect(of(`{"a":[${four}]}`, few)).toBe('maxNames')
    expect(of('{"a":{"a":1,"b":2,"c":3},"b":[1,2,3,4,5],"c":{"a":1,"b":"{,"}}', few)).toBeUndefined()
  })

  it('say nothing of brackets that close what was never opened', () => expect(of(']]],,,}{,[')).toBeUndefined())

  it('tell what is nested too deep', () => {
    expect(of('['.repeat(64) + ']'.repeat(64))).toBeUndefined()
    expect(of('['.repeat(65) + ']'.repeat(65))).toBe('maxDepth')
  })

  it('look at nothing within texts, however long and however escaped', () => {
    for (const text of ['[{,', '\\"[{,', `${'a'.repeat(500)}"[,`, '\\'.repeat(501), `${'a'.repeat(80)}\\"\\\\`])
      expect(of(JSON.stringify({ x: text.repeat(2000), y: 1 })), text.slice(0, 10)).toBeUndefined()
  })

  it('go on behind a text, however it ends', () => {
    for (const text of [
      'a'.repeat(300),
      `${'a'.repeat(63)}\\`,
      `${'a'.repeat(64)}"`,
      '\\'.repeat(129),
      '"'.repeat(500),
    ])
      expect(of(`[${JSON.stringify(text)}${',1'.repeat(1000)}]`), text.slice(0, 70)).toBe('maxValues')
  })

  it('come to an end where a text has none', () => {
    for (const text of ['"', '"a', `"${'a'.repeat(200)}`, `"${'a'.repeat(200)}\\"`, '"\\'])
      expect(of(text)).toBeUndefined()
  })

  it('never let through more than they say', () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.boolean(), (value, pretty) => {
        const bytes = Buffer.from(JSON.stringify(value, null, pretty ? 2 : 0))
        const [values, depth] = [valuesIn(value), depthOf(value)]
        expect(excessOf(bytes, { maxDepth: depth, maxValues: values * 2 })).toBeUndefined()
        if (values > 1) expect(excessOf(bytes, { maxDepth: depth, maxValues: values - 1 })).toBe('maxValues')
        if (depth > 0) expect(excessOf(bytes, { maxDepth: depth - 1, maxValues: 1e9 })).toBe('maxDepth')
      }),
    ))
})
