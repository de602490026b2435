import { describe, expect, it } from 'vitest'
import type { SpanRow } from './plans.store.ts'
import { bestOf, covers, piecesOf } from './spans.model.ts'

const minute = 60_000
const span = (given: Partial<SpanRow>): SpanRow => ({
  provider: 'stripe',
  subscriptionId: 'sub',
  customerId: null,
  plan: 'team',
  seats: 1,
  retentionDays: null,
  fromAt: 0,
  untilAt: null,
  ...given,
})

describe('of several plans', () => {
  it('the best one counts, then the one with more seats, then the one that lasts longer', () => {
    const small = span({ subscriptionId: 'small', seats: 50, untilAt: null })
    const large = span({ subscriptionId: 'large', plan: 'business', untilAt: 10 * minute })
    const wide = span({ subscriptionId: 'wide', plan: 'business', seats: 9, untilAt: 5 * minute })
    const long = span({ subscriptionId: 'long', plan: 'business', seats: 9, untilAt: 6 * minute })
    for (const [spans, best] of [
      [[small, large], large],
      [[large, wide], wide],
      [[long, wide], long],
    ] as const)
      for (const given of [spans, spans.toReversed()]) expect(bestOf(given)).toBe(best)
    expect(bestOf([])).toBeUndefined()
  })
})

describe('a plan', () => {
  it('counts from its first instant to before its last one', () => {
    const given = span({ fromAt: 5, untilAt: 9 })
    expect([4, 5, 8, 9].map((at) => covers(given, at))).toEqual([false, true, true, false])
    expect(covers(span({ fromAt: 5 }), Number.MAX_SAFE_INTEGER)).toBe(true)
  })

  it('that begins or ends within a minute counts to that minute, and in between the better one does', () => {
    const team = span({ fromAt: 10 * minute + 1, untilAt: 30 * minute + 1 })
    const business = span({ subscriptionId: 'more', plan: 'business', fromAt: 20 * minute + 7, untilAt: 25 * minute })
    expect(piecesOf([team, business], { from: 0, to: 60 * minute })).toEqual([
      { from: 0, to: 10 * minute, span: undefined },
      { from: 10 * minute, to: 20 * minute, span: team },
      { from: 20 * minute, to: 25 * minute, span: business },
      { from: 25 * minute, to: 30 * minute, span: team },
      { from: 30 * minute, to: 60 * minute, span: undefined },
    ])
  })
})
