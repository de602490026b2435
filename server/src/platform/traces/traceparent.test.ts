import { describe, expect, it } from 'vitest'
import { readTraceParent, writeTraceParent } from './traceparent.ts'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

describe('a traceparent', () => {
  it.each([
    [`00-${traceId}-${spanId}-01`, true],
    [`00-${traceId}-${spanId}-00`, false],
    [`00-${traceId}-${spanId}-03`, true],
    [`cc-${traceId}-${spanId}-01-what-comes-later`, true],
  ])('is read: %s', (text, isSampled) => {
    expect(readTraceParent(text)).toEqual({ traceId, spanId, isSampled })
  })

  it.each([
    ['nothing', undefined],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['more than version 00 has', `00-${traceId}-${spanId}-01-more`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['too short', `00-${traceId}-${spanId}`],
    ['two of them', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ])('is none: %s', (_, text) => {
    expect(readTraceParent(text)).toBeUndefined()
  })

  it('is written as it is read', () => {
    const text = `00-${traceId}-${spanId}-01`
    expect(writeTraceParent(readTraceParent(text)!)).toBe(text)
  })
})
