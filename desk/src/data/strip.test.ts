import { describe, expect, it } from 'vitest'
import type { Stretch } from './desk-api.ts'
import { axisOf, lineOf, stripOf } from './strip.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 27, 9, 0, seconds)).toISOString()
const stretch = (from: number, to: number, state: Stretch['state'], reason: Stretch['reason'] = null): Stretch => ({
  fromAt: at(from),
  toAt: at(to),
  state,
  reason,
  reportedBy: 'agent',
  held: false,
})

describe('the strip of an account', () => {
  it('lies on the time that all lanes have in common', () => {
    const [screen, camera] = [[stretch(0, 60, 'observed')], [stretch(20, 100, 'observed')]]
    const axis = axisOf([screen, camera, []])
    expect(axis).toEqual({ from: Date.parse(at(0)), to: Date.parse(at(100)) })
    expect(stripOf(screen, axis!)).toEqual([{ state: 'observed', x: 0, width: 600 }])
    expect(stripOf(camera, axis!)).toEqual([{ state: 'observed', x: 200, width: 800 }])
  })

  it('draws neighbours of one state as one, whatever their reasons, and leaves each other where it is', () => {
    const account = [
      stretch(0, 10, 'gap', 'starting'),
      stretch(10, 20, 'gap', 'offline'),
      stretch(20, 40, 'observed'),
      stretch(40, 100, 'paused', 'paused'),
    ]
    expect(stripOf(account, axisOf([account])!)).toEqual([
      { state: 'gap', x: 0, width: 200 },
      { state: 'observed', x: 200, width: 200 },
      { state: 'paused', x: 400, width: 600 },
    ])
  })

  it('is none where nothing is accounted for', () => {
    expect(axisOf([[], []])).toBeUndefined()
    expect(axisOf([[stretch(5, 5, 'observed')]])).toBeUndefined()
  })
})

describe('the line of a lane', () => {
  const lane = { enabled: true, declined: false, expectedMs: 0, account: [] }
  it.each([
    ['laneOff', { enabled: false }],
    ['laneDeclined', { declined: true }],
    ['laneUnused', {}],
    ['account', { expectedMs: 1 }],
    ['account', { declined: true, expectedMs: 1 }],
  ])('is %s of %o', (line, fields) => {
    expect(lineOf({ ...lane, ...fields })).toBe(line)
  })
})
