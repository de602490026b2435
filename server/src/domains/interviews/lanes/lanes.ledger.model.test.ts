import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addGaps, addWindows, type Told } from './lanes.ledger.model.ts'
import type { LaneGap, LaneWindow } from './lanes.types.ts'

const gap = (fromAt: number, toAt: number, fields: Partial<Told<LaneGap>> = {}): Told<LaneGap> => ({
  lane: 'screen',
  displayId: '',
  fromAt,
  toAt,
  reason: 'offline',
  clientId: `gap-${fromAt}-${toAt}`,
  ...fields,
})
const window = (fromAt: number, toAt: number, observed = 1): Told<LaneWindow> => {
  const expectedSeconds = (toAt - fromAt) / 1000
  const observedSeconds = expectedSeconds * observed
  const place = { lane: 'screen', displayId: '', fromAt, toAt, clientId: `window-${fromAt}-${toAt}` } as const
  return { ...place, expectedSeconds, observedSeconds }
}
const spans = (rows: readonly { fromAt: number; toAt: number }[]) => rows.map(({ fromAt, toAt }) => [fromAt, toAt])

describe('gaps', () => {
  it('of one lane, display and reason that touch or overlap become one, under the first one’s key', () => {
    const held = [gap(0, 10), gap(20, 30), gap(40, 50)]
    const settled = addGaps(held, [gap(10, 22), gap(5, 6)])
    expect(settled).toEqual({ count: 2, written: [{ ...held[0], toAt: 30 }], removed: [held[1]] })
  })

  it('of another reason, display or lane stay beside them', () => {
    const others = [gap(0, 10, { reason: 'paused' }), gap(0, 10, { displayId: 'd' }), gap(0, 10, { lane: 'camera' })]
    expect(addGaps([gap(0, 10)], others)).toEqual({ count: 4, written: others, removed: [] })
  })

  it('say of every moment what they said before, in whatever order they come', () => {
    const one = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 9 })).map(([a, n]) => gap(a, a + n))
    const holds = (rows: readonly LaneGap[], at: number) => rows.some((g) => g.fromAt <= at && at < g.toAt)
    fc.assert(
      fc.property(fc.array(one, { maxLength: 9 }), (all) => {
        const told = all.map((each, n) => ({ ...each, clientId: `gap-${n}` }))
        let held: Told<LaneGap>[] = []
        for (const each of told) {
          const { written, removed, count } = addGaps(held, [each])
          const changed = new Set([...written, ...removed].map(({ clientId }) => clientId))
          held = [...held.filter(({ clientId }) => !changed.has(clientId)), ...written]
          expect(held).toHaveLength(count)
        }
        for (let at = 0; at < 60; at++) expect(holds(held, at)).toBe(holds(told, at))
      }),
      { seed: 31 },
    )
  })
})

describe('windows', () => {
  it('that follow each other and observed all, or nothing, of what they expected become one', () => {
    const settled = addWindows([window(0, 10_000)], [window(10_000, 20_100), window(20_100, 30_000)])
    expect(settled.written).toEqual([{ ...window(0, 30_000), clientId: 'window-0-10000' }])
    const nothing = addWindows([], [window(0, 10_000, 0), window(10_000, 20_000, 0)])
    expect(nothing.written).toMatchObject([{ expectedSeconds: 20, observedSeconds: 0 }])
  })

  it('stay what they are where one would say something else: parts, overlaps, holes, other shares', () => {
    const apart = [
      window(0, 10_000, 0.5),
      window(10_000, 20_000, 0.5),
      window(20_000, 30_000),
      window(30_000, 40_000, 0),
      window(39_000, 50_000, 0),
      window(51_000, 60_000, 0),
      { ...window(60_000, 70_000, 0), expectedSeconds: 5 },
    ]
    expect(spans(addWindows([], apart).written)).toEqual(spans(apart))
  })
})
