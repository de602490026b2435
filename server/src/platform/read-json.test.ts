import { ServiceError } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { parseJson } from './read-json.ts'
import { timesAsCostly } from './work-ratio.test-support.ts'

const read = (text: string | Buffer, maxValues = 1000) => parseJson(Buffer.from(text), 'the body', maxValues)
const refusalOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
  return expect.fail('was not refused')
}
const names = (n: number) => Array.from({ length: n }, (_, k) => `"k${k}":1`).join(',')

describe('JSON that somebody sent', () => {
  it('is refused in words for its shape', () => {
    expect(refusalOf(() => read(`{${names(2000)}}`))).toBe('the body holds more than 1000 values: send less at a time')
    expect(refusalOf(() => read(`${'['.repeat(65)}${']'.repeat(65)}`))).toBe('the body is nested more than 64 deep')
    expect(refusalOf(() => read(`{${names(2001)}}`, 10_000))).toBe('the body holds an object of more than 2000 names')
    expect(refusalOf(() => read('{'))).toBe('the body is not JSON')
    expect(refusalOf(() => read(Buffer.from([0x22, 0xff, 0x22])))).toBe('the body is not UTF-8')
    expect(refusalOf(() => read('{"a":["\\u0000"]}'))).toContain('U+0000')
    expect(refusalOf(() => read('{"\\u0000":1}'))).toContain('U+0000')
  })

  it('is refused for its shape before anything is built of it', () => {
    // Of 8 MB a hundredth is looked at.
    const large = Buffer.from(`{${names(600_000)}}`)
    const small = Buffer.from(`{${names(6000)}}`)
    const refused = (bytes: Buffer) => () => refusalOf(() => parseJson(bytes, 'the body', 1000))
    expect(timesAsCostly(refused(large), refused(small), 100)).toBeLessThan(0.3)
  })

  it('has halves of surrogate pairs mended wherever they stand, and the rest as it was', () => {
    const text =
      '{"a":"x\\ud800y","b":["\\udc00",{"c\\ud800":"\\ud83d\\ude00"}],"__proto__":"\\uD800","d":"\\\\ud800","e":1}'
    const value = read(text) as Record<string, unknown>
    expect(Object.entries(value)).toEqual([
      ['a', 'x\ufffdy'],
      ['b', ['\ufffd', { 'c\ufffd': '😀' }]],
      ['__proto__', '\ufffd'],
      ['d', '\\ud800'],
      ['e', 1],
    ])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('is not built twice for half a pair in it', () => {
    const value = read(`{"a":"\\ud800","b":[{"c":1}],"d":{}}`)
    expect(value).toEqual({ a: '\ufffd', b: [{ c: 1 }], d: {} })
  })
})
