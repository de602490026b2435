import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketWidths, coverTime } from './sessions.counts.model.ts'

const year = 365 * 86_400_000

describe('the cover of a stretch of time', () => {
  it('holds every instant of it once and none besides', () => {
    const instant = fc.integer({ min: 0, max: 5 * year })
    fc.assert(
      fc.property(instant, instant, fc.array(instant, { maxLength: 20 }), (from, until, others) => {
        const { spans, edges } = coverTime(from, until)
        for (const at of [...others, from, until, from - 1, until - 1]) {
          const times =
            spans.filter((span) => at >= span.from * span.width && at < span.until * span.width).length +
            edges.filter(([first, end]) => at >= first && at < end).length
          expect(times).toBe(at >= from && at < until ? 1 : 0)
        }
      }),
    )
  })

  it('is of few buckets and two minutes at most, however long', () => {
    const instant = fc.integer({ min: 0, max: 50 * year })
    fc.assert(
      fc.property(instant, instant, (from, until) => {
        const { spans, edges } = coverTime(from, until)
        const buckets = spans.reduce((sum, span) => sum + span.until - span.from, 0)
        expect(buckets).toBeLessThanOrEqual(2 * 31 * bucketWidths.length)
        for (const [first, end] of edges) expect(end - first).toBeLessThan(2 * 60_000)
      }),
    )
  })

  it('may have no end', () => {
    const { spans } = coverTime(90_000, Number.POSITIVE_INFINITY)
    expect(spans.at(-1)?.until).toBe(Number.POSITIVE_INFINITY)
  })
})
