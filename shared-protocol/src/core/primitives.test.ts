import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  clientId,
  deleted,
  emptyBody,
  freeData,
  instant,
  listOf,
  oneLine,
  pagingQuery,
  sha256Hex,
} from './primitives.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('paging', () => {
  it('has defaults, reads text, and refuses what is out of range instead of clamping it', () => {
    expect(pagingQuery.parse({})).toEqual({ limit: 20, offset: 0 })
    expect(pagingQuery.parse({ limit: '100', offset: '7' })).toEqual({ limit: 100, offset: 7 })
    for (const limit of ['0', '101', '-1', '1.5', 'ten', 'NaN', '1e9'])
      expect(takes(pagingQuery, { limit })).toBe(false)
    for (const offset of ['-1', '0.5', 'x', '1000000001']) expect(takes(pagingQuery, { offset })).toBe(false)
  })

  it('describes lists that may carry more beside the items', () => {
    const list = listOf(z.string(), { cursor: z.string() })
    const page = { items: ['a'], total: 1, limit: 20, offset: 0, nextCursor: null }
    expect(takes(list, { ...page, cursor: 'c' })).toBe(true)
    expect(takes(list, page)).toBe(false)
    expect(takes(list, { ...page, items: [1], cursor: 'c' })).toBe(false)
    expect(takes(list, { ...page, nextCursor: undefined, cursor: 'c' })).toBe(false)
  })
})

describe('instants', () => {
  it('are ISO 8601 with a zone', () => {
    for (const text of ['2026-09-04T10:00:00Z', '2026-09-04T10:00:00.123Z', '2026-09-04T12:00:00+02:00'])
      expect(takes(instant, text)).toBe(true)
    for (const text of ['2026-09-04', '2026-09-04T10:00:00', 'yesterday', '2026-13-01T00:00:00Z', '', 1_763_640_000])
      expect(takes(instant, text)).toBe(false)
  })

  it('take every instant this service writes', () => {
    const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    fc.assert(fc.property(dates, (date) => takes(instant, date.toISOString())))
  })
})

describe('client ids', () => {
  it('take UUIDs and dotted names, and nothing that could be read as a path or markup', () => {
    fc.assert(fc.property(fc.uuid(), (id) => takes(clientId, id)))
    for (const id of ['short', 'x'.repeat(65), '../../../etc', 'with space', 'tag<script>', 'zeile\nzwei', 'ümlaut-id'])
      expect(takes(clientId, id)).toBe(false)
  })
})

describe('hashes', () => {
  it('are 64 lower-case hexadecimal digits', () => {
    expect(takes(sha256Hex, 'a'.repeat(64))).toBe(true)
    for (const text of ['A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(63)}g`, `${'a'.repeat(64)}\n`])
      expect(takes(sha256Hex, text)).toBe(false)
  })
})

describe('free data', () => {
  it('is any JSON object of bounded size', () => {
    expect(takes(freeData, { a: [1, null, { b: 'c' }] })).toBe(true)
    expect(takes(freeData, { a: 'x'.repeat(16_000) })).toBe(true)
    expect(takes(freeData, { a: 'x'.repeat(16_400) })).toBe(false)
    for (const value of [[], null, 'text', 7, true]) expect(takes(freeData, value)).toBe(false)
  })
})

describe('a line that people read', () => {
  const line = oneLine(40)

  it('is trimmed before it is measured, and never empty', () => {
    expect(line.parse('  Ada Lovelace \t')).toBe('Ada Lovelace')
    expect(takes(line, ` ${'x'.repeat(40)} `)).toBe(true)
    for (const text of ['', '   ', '\n', 'x'.repeat(41)]) expect(takes(line, text)).toBe(false)
  })

  it('holds nothing that breaks a mail header or a terminal, or turns the direction of what follows', () => {
    const breaking = ['\r', '\n', '\0', '\u001b', '\u007f', '\u0085', '\u202e', '\u2066', '\u200f', '\u061c']
    for (const character of breaking) expect(takes(line, `Ada${character}Lovelace`)).toBe(false)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), (text) => {
        const taken = line.safeParse(text)
        return !taken.success || !/[\p{Cc}\p{Bidi_C}]/u.test(taken.data)
      }),
    )
  })

  it('takes the names that people have', () => {
    for (const name of ["O'Brien-Smith, Jr.", 'अदिति शर्मा', '山田 太郎', 'עדה', 'Zoë 🦉'])
      expect(line.parse(name)).toBe(name)
  })
})

describe('bodies of little', () => {
  it('say what was deleted, and take an absent body for an empty one only as an object', () => {
    expect(takes(deleted, { id: 'x', deleted: true })).toBe(true)
    expect(takes(deleted, { id: 'x', deleted: false })).toBe(false)
    expect(takes(emptyBody, {})).toBe(true)
    for (const value of [null, [], 'x']) expect(takes(emptyBody, value)).toBe(false)
  })
})
