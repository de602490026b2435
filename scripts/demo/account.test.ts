import { describe, expect, it } from 'vitest'
import { accountProblems } from './account.ts'

const at = (second: number): string => new Date(Date.UTC(2026, 8, 4, 9, 0, second)).toISOString()
const stretch = (from: number, to: number, state: 'gap' | 'observed', held = false) => ({
  ...{ fromAt: at(from), toAt: at(to), state, held },
  ...{ reason: state === 'gap' ? ('offline' as const) : null, reportedBy: 'agent' as const },
})
const lane = {
  ...{ lane: 'screen' as const, expectedMs: 10_000, observedMs: 7000, heldMs: 4000 },
  account: [stretch(0, 4, 'observed', true), stretch(4, 7, 'gap'), stretch(7, 10, 'observed')],
}

describe('the account of a lane, added up by the demo', () => {
  it('holds where every millisecond is in one stretch', () => {
    expect(accountProblems(lane)).toEqual([])
  })

  it('does not where a sum is another, or a stretch is too much, missing or empty', () => {
    expect(accountProblems({ ...lane, observedMs: 7001 })).toHaveLength(2)
    expect(accountProblems({ ...lane, heldMs: 7000 })).toEqual(['screen: 7000 ms held, but 4000 by its stretches'])
    const [first, , last] = lane.account
    expect(accountProblems({ ...lane, expectedMs: 7000, account: [first!, last!] })[0]).toMatch(/begins at/)
    expect(accountProblems({ ...lane, account: [...lane.account, stretch(10, 10, 'gap')] })[0]).toMatch(/no length/)
  })
})
