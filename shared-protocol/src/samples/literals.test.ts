/// <reference types="node" />
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pythonLiteral, typescriptLiteral } from './literals.ts'

// A key of this name is written like any other, and read by JavaScript as something else.
const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'))
const evaluated = (literal: string): unknown => runInNewContext(`(${literal})`)
/** What Python reads as JSON would, once its three words are spelled as there; strings are left alone. */
const ofPython = (literal: string): unknown =>
  JSON.parse(
    literal
      .replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:None|True|False)\b/g, (token) =>
        token === 'None' ? 'null' : token === 'True' ? 'true' : token === 'False' ? 'false' : token,
      )
      .replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])/g, (token) => (token === ',' ? '' : token)),
  )
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

describe('a value in a program', () => {
  it('is the same value to JavaScript', () => {
    fc.assert(fc.property(json, (value) => same(evaluated(typescriptLiteral(value)), value)))
  })

  it('is the same value to Python', () => {
    fc.assert(fc.property(json, (value) => same(ofPython(pythonLiteral(value)), value)))
  })

  it('stays in its lines where it is short, and is indented by its depth where it is not', () => {
    const value = { first: 'x'.repeat(30), second: ['y'.repeat(30), 'z'.repeat(30)] }
    for (const literal of [typescriptLiteral(value, 2), pythonLiteral(value, 2)]) {
      const lines = literal.split('\n')
      expect(lines.length).toBeGreaterThan(3)
      expect(lines.at(-1)).toMatch(/^ +\}$/)
    }
    expect(typescriptLiteral({ a: 1, b: [true] })).toBe('{ a: 1, b: [true] }')
    expect(pythonLiteral({ a: 1, b: [true] })).toBe('{"a": 1, "b": [True]}')
  })
})
