import { describe, expect, it } from 'vitest'
import type { PostResult } from '../../../platform/http-out/http-out.ts'
import { nextStep } from './deliveries.schedule.model.ts'

const failed: PostResult = { outcome: 'http_error', statusCode: 500, durationMs: 1 }
const waitOf = (attempt: number, result: PostResult, random: number): number | undefined => {
  const step = nextStep(attempt, result, random)
  return step.kind === 'retry' ? step.waitMs : undefined
}

describe('what follows an attempt', () => {
  it('is the end when the receiver answered 2xx', () => {
    expect(nextStep(1, { outcome: 'success', statusCode: 204, durationMs: 1 }, 0)).toEqual({ kind: 'delivered' })
  })

  it('is a wait of 10, 60, 300, 1800 and 7200 seconds, never less and at most a tenth more', () => {
    for (const [index, seconds] of [10, 60, 300, 1800, 7200].entries()) {
      expect(waitOf(index + 1, failed, 0)).toBe(seconds * 1000)
      const latest = waitOf(index + 1, failed, 0.999999) ?? 0
      expect(latest).toBeGreaterThan(seconds * 1000)
      expect(latest).toBeLessThanOrEqual(seconds * 1100)
    }
  })

  it('is a dead letter after the sixth failure', () => {
    expect(nextStep(6, failed, 0)).toEqual({ kind: 'dead_letter' })
  })

  it('treats redirects, 410, 429, timeouts, refusals and broken connections like any failure', () => {
    for (const result of [
      { outcome: 'http_error', statusCode: 302, durationMs: 1 },
      { outcome: 'http_error', statusCode: 410, durationMs: 1 },
      { outcome: 'http_error', statusCode: 429, durationMs: 1 },
      { outcome: 'timeout', durationMs: 1 },
      { outcome: 'blocked', durationMs: 1 },
      { outcome: 'network_error', durationMs: 1 },
    ] as const)
      expect(waitOf(1, result, 0)).toBe(10_000)
  })
})
