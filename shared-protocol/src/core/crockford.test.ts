/// <reference types="node" />
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encodeCrockford,
  idFromBytes,
  joinCodeFrom,
  joinCodeLength,
  normaliseJoinCode,
  showJoinCode,
} from './crockford.ts'

const vectors = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8')) as T
const ids = vectors<{
  ids: { prefix: string; uuid: string; id: string }[]
  crockford: { hex: string; text: string }[]
}>('ids')
const codes = vectors<{
  codes: { hex: string; code: string; shown: string }[]
  typed: { typed: string; code: string | null }[]
}>('join-codes')

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const fiveBytes = fc.uint8Array({ minLength: 5, maxLength: 5 })
const sixteenBytes = fc.uint8Array({ minLength: 16, maxLength: 16 })
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
/** The number that the text stands for, worked out digit by digit. */
const numberOf = (text: string) => text.split('').reduce((sum, char) => sum * 32n + BigInt(alphabet.indexOf(char)), 0n)

describe('Crockford base32', () => {
  it.each(ids.crockford)('writes $hex as $text', ({ hex, text }) => {
    expect(encodeCrockford(bytesOf(hex))).toBe(text)
  })

  it('writes the number that the bytes are, in as many digits as it needs for their length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = encodeCrockford(bytes)
        expect(text).toHaveLength(Math.ceil((bytes.length * 8) / 5))
        expect(numberOf(text)).toBe(bytes.length === 0 ? 0n : BigInt(`0x${hexOf(bytes)}`))
      }),
    )
  })
})

const prefixedId = (prefix: string, uuid: string) => idFromBytes(prefix, bytesOf(uuid.replaceAll('-', '')))

describe('ids', () => {
  it.each(ids.ids)('of $uuid reads $id', ({ prefix, uuid, id }) => {
    expect(prefixedId(prefix, uuid)).toBe(id)
    expect(prefixedId(prefix, uuid.replaceAll('-', ''))).toBe(id)
  })

  it('sort as their bytes do, and so by time', () => {
    fc.assert(
      fc.property(sixteenBytes, sixteenBytes, (a, b) => {
        const [x, y] = [prefixedId('ses', hexOf(a)), prefixedId('ses', hexOf(b))]
        expect(x < y).toBe(hexOf(a) < hexOf(b))
        expect(x === y).toBe(hexOf(a) === hexOf(b))
      }),
    )
    const inOrder = ids.ids.map(({ id }) => id)
    expect([...inOrder].reverse().sort()).toEqual(inOrder)
  })
})

describe('join codes', () => {
  it.each(codes.codes)('of $hex are $code, shown as $shown', ({ hex, code, shown }) => {
    expect(joinCodeFrom(bytesOf(hex))).toBe(code)
    expect(showJoinCode(code)).toBe(shown)
    expect(normaliseJoinCode(shown)).toBe(code)
  })

  it.each(codes.typed)('typed as "$typed" mean $code', ({ typed, code }) => {
    expect(normaliseJoinCode(typed) ?? null).toBe(code)
  })

  it('are eight characters whatever the bytes', () => {
    fc.assert(
      fc.property(fiveBytes, (bytes) => {
        const code = joinCodeFrom(bytes)
        expect(code).toHaveLength(joinCodeLength)
        expect(normaliseJoinCode(code)).toBe(code)
      }),
    )
  })

  it('are forgiven every decoration: case, blanks, dashes, look-alikes', () => {
    const lookAlikes: Record<string, string[]> = { '0': ['0', 'O', 'o'], '1': ['1', 'I', 'i', 'L', 'l'] }
    const filler = fc.string({ unit: fc.constantFrom(' ', '-', '–', '—', '_', '.', '\t', '\u00a0'), maxLength: 3 })
    const decorated = fc
      .tuple(
        fiveBytes,
        fc.array(filler, { minLength: 9, maxLength: 9 }),
        fc.array(fc.nat(9), { minLength: 8, maxLength: 8 }),
      )
      .map(([bytes, fillers, picks]) => {
        const code = joinCodeFrom(bytes)
        const typed = code.split('').map((char, index) => {
          const ways = lookAlikes[char] ?? [char, char.toLowerCase()]
          return ways[picks[index]! % ways.length]! + fillers[index]!
        })
        return { code, typed: fillers[8]! + typed.join('') }
      })
    fc.assert(
      fc.property(decorated, ({ code, typed }) => {
        expect(normaliseJoinCode(typed)).toBe(code)
      }),
    )
  })

  it('never come out of text with a character that no code has, or with too few or too many', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (typed) => {
        const code = normaliseJoinCode(typed)
        if (code !== undefined) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
      }),
    )
    fc.assert(
      fc.property(fiveBytes, fc.constantFrom('U', 'u', '!', 'é', '*', '/'), fc.nat(7), (bytes, wrong, at) => {
        const code = joinCodeFrom(bytes)
        expect(normaliseJoinCode(code.slice(0, at) + wrong + code.slice(at + 1))).toBeUndefined()
        expect(normaliseJoinCode(code + code[at])).toBeUndefined()
        expect(normaliseJoinCode(code.slice(0, at) + code.slice(at + 1))).toBeUndefined()
      }),
    )
  })
})
