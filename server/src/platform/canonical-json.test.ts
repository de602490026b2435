import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from './canonical-json.ts'

interface Vectors {
  readonly cases: readonly { name: string; input: string; canonical: string }[]
  readonly numbers: readonly { ieee754: string; text: string | null }[]
}
const file = new URL('../../../shared-protocol/vectors/canonical-json.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors

/** Rebuilds every object with its members in reverse. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  )
}
const anyJson = fc.jsonValue({ stringUnit: 'binary' })

describe('canonical JSON (RFC 8785)', () => {
  it.each(vectors.cases)('$name', ({ input, canonical }) => {
    expect(canonicalize(JSON.parse(input))).toBe(canonical)
  })

  it.each(vectors.numbers)('writes the double $ieee754 as $text', ({ ieee754, text }) => {
    const value = Buffer.from(ieee754, 'hex').readDoubleBE()
    if (text === null) expect(() => canonicalize(value)).toThrow()
    else expect(canonicalize(value)).toBe(text)
  })

  it('does not depend on the order of members, and reads back as the same value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalize(value)
        expect(canonicalize(reversed(value))).toBe(text)
        expect(canonicalize(JSON.parse(text))).toBe(text)
      }),
    )
  })

  it.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a bigint', 1n],
    ['NaN', Number.NaN],
    ['a lone surrogate', '\ud800'],
    [
      'a cycle',
      (() => {
        const value: Record<string, unknown> = {}
        value['self'] = value
        return value
      })(),
    ],
  ])('refuses %s', (_name, value) => {
    expect(() => canonicalize(value)).toThrow()
  })
})
