import { describe, expect, it } from 'vitest'
import { statesOf, wasSoBefore } from './integrity-events.states.ts'

const before = (kind: string, at: number, value: unknown) => ({ kind, at, data: { value, sinceBeforeSession: true } })
const since = (kind: string, at: number, value: unknown) => ({ kind, at, data: { value } })
const [one, two] = [{ id: '1' }, { id: '2' }]

describe('what was so before', () => {
  it('is what an observer says was so before it began, and nothing else', () => {
    expect(wasSoBefore({ sinceBeforeSession: true })).toBe(true)
    for (const data of [{ sinceBeforeSession: false }, { value: { sinceBeforeSession: true } }, {}, null, 'true'])
      expect(wasSoBefore(data)).toBe(false)
  })

  it('is a state at the first look, and said again at a second one', () => {
    const first = [before('display.added', 100, one), before('network.changed', 4000, [])]
    const second = [before('display.added', 60_000, one), before('network.changed', 61_000, [])]
    const happened = since('display.added', 30_000, two)
    expect(statesOf([...second, happened, ...first])).toEqual({ atStart: first, repeated: second })
  })

  it('is an event where a second look finds what nobody told before', () => {
    const rows = [before('display.added', 100, one), before('display.added', 60_000, one)]
    const fresh = before('display.added', 60_000, two)
    expect(statesOf([...rows, fresh])).toEqual({ atStart: [rows[0]], repeated: [rows[1]] })
  })

  it('is no event where it happened before the agent came back, and was told then', () => {
    const rows = [before('display.added', 100, one), since('display.added', 5000, two)]
    const again = [before('display.added', 60_000, one), before('display.added', 60_000, two)]
    expect(statesOf([...rows, ...again])).toEqual({ atStart: [rows[0]], repeated: again })
  })

  it('is a state of the first look, too, where an observer began late', () => {
    const rows = [before('display.added', 100, one), before('process.matched', 60_000, { program: 'x' })]
    expect(statesOf(rows)).toEqual({ atStart: rows, repeated: [] })
  })

  it('is an event at a second look where it was over between the two', () => {
    const first = [before('display.added', 100, one), before('display.added', 200, two)]
    const over = since('display.removed', 30_000, { ...two, width: 800 })
    const again = [before('display.added', 60_000, one), before('display.added', 60_100, two)]
    expect(statesOf([...again, over, ...first])).toEqual({ atStart: first, repeated: [again[0]] })
    const back = since('display.added', 40_000, two)
    expect(statesOf([...again, over, back, ...first])).toEqual({ atStart: first, repeated: again })
  })

  it('is known by what it is, and not by how it is: a display of another size was not connected', () => {
    const first = before('display.added', 100, { id: '1', width: 1920 })
    const again = before('display.added', 60_000, { id: '1', width: 800 })
    expect(statesOf([first, again])).toEqual({ atStart: [first], repeated: [again] })
  })

  it('is an event where the second look finds what an earlier change had replaced', () => {
    const first = [before('display.added', 100, one), before('network.changed', 200, ['eth0'])]
    const changed = since('network.changed', 30_000, ['wlan0'])
    const again = [before('display.added', 60_000, one), before('network.changed', 60_100, ['eth0'])]
    expect(statesOf([...first, changed, ...again])).toEqual({ atStart: first, repeated: [again[0]] })
  })

  it('of two of one name stays known while one of them is there', () => {
    const first = [
      before('device.added', 100, { kind: 'camera', name: 'C' }),
      before('device.added', 110, { kind: 'camera', name: 'C' }),
    ]
    const gone = since('device.removed', 30_000, { kind: 'camera', name: 'C' })
    const again = before('device.added', 60_000, { kind: 'camera', name: 'C' })
    expect(statesOf([...first, gone, again])).toEqual({ atStart: [first[0]], repeated: [first[1], again] })
  })
})
