import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseParser, type SseMessage } from '../../client/src/sse-parser.ts'

const parse = (...pieces: (string | Uint8Array)[]): SseMessage[] => {
  const parser = createSseParser()
  return pieces.flatMap((piece) => parser.push(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece))
}
const datas = (...pieces: string[]) => parse(...pieces).map(({ data }) => data)

describe('the parser of event streams', () => {
  it('reads event, id and data of several lines, and passes over comments and unknown fields', () => {
    expect(parse(': hello\nid: 7\nevent: add\ndata: one\ndata:two\ndata\nfoo: bar\n\n')).toEqual([
      { id: '7', event: 'add', data: 'one\ntwo\n' },
    ])
  })

  it('takes one space after the colon away, no more', () => {
    expect(datas('data:  x \n\n')).toEqual([' x '])
  })

  it('dispatches nothing without data, and forgets the type', () => {
    expect(parse('event: add\nid: 3\n\ndata: x\n\n')).toEqual([{ event: 'message', data: 'x', id: '3' }])
  })

  it('keeps the last id until another one comes; an empty one clears it, one with NUL is ignored', () => {
    expect(parse('id: 1\ndata: a\n\ndata: b\n\nid: 2\0\ndata: c\n\nid\ndata: d\n\n').map(({ id }) => id)).toEqual([
      '1',
      '1',
      '1',
      '',
    ])
  })

  it.each(['\n', '\r', '\r\n'])('knows %j as the end of a line', (end) => {
    expect(datas(['data: a', '', 'data: b', '', ''].join(end))).toEqual(['a', 'b'])
  })

  it('tells a line feed that ends a CRLF from one that ends an empty line', () => {
    expect(datas('data: a\r', '\n', '\n')).toEqual(['a'])
    expect(datas('data: a\r', '\r', 'data: b\r\n\r', '\n')).toEqual(['a', 'b'])
    expect(datas('data: a\r\n', 'data: b\r\n\r\n')).toEqual(['a\nb'])
  })

  it('passes over a byte order mark at the very start only', () => {
    expect(datas('\ufeffdata: a\n\n')).toEqual(['a'])
    expect(datas('data: a\n\n\ufeffdata: b\n\n')).toEqual(['a'])
  })

  it('drops what the end cuts off', () => {
    expect(datas('data: a\n\ndata: b\n')).toEqual(['a'])
  })

  it('takes a retry of digits only', () => {
    const parser = createSseParser()
    parser.push(new TextEncoder().encode('retry: 250\nretry: soon\nretry:\n'))
    expect(parser.retryMs).toBe(250)
  })

  it('refuses an event without end before memory runs out', () => {
    const parser = createSseParser()
    const line = new TextEncoder().encode(`data: ${'x'.repeat(1024 * 1024)}\n`)
    expect(() => {
      for (let n = 0; n < 9; n += 1) parser.push(line)
    }).toThrow(/more than/)
  })

  it('reads the same however the bytes are cut', () => {
    const field = fc.constantFrom('data: ä✓', 'data', 'id: 1', 'event: e', ': c', 'retry: 5', '', '')
    const end = fc.constantFrom('\n', '\r', '\r\n')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(field, end), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 }),
        (lines, cuts) => {
          const bytes = new TextEncoder().encode(`\ufeff${lines.map((line) => line.join('')).join('')}`)
          const pieces: Uint8Array[] = []
          for (let at = 0, n = 0; at < bytes.length; n += 1) {
            const size = cuts[n % cuts.length] as number
            pieces.push(bytes.subarray(at, at + size))
            at += size
          }
          expect(parse(...pieces)).toEqual(parse(bytes))
        },
      ),
      { numRuns: 300 },
    )
  })
})
