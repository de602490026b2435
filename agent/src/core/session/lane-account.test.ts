import { describe, expect, it } from 'vitest'
import type { Statement, Subject } from './account-subject.ts'
import { LaneAccount } from './lane-account.ts'

const T = 1_800_000_000_000
const microphone: Subject = { lane: 'microphone' }
const before = { samples: [], heartbeat: undefined, registeredAt: undefined, stillIntervalMs: 10_000 }

/** An account whose statements are kept, as short texts; `again` is the one of the next run. */
const opened = (kept?: string) => {
  const said: string[] = []
  let last = kept
  const text = ({ lane, displayId, fromAt, toAt, reason }: Statement): string =>
    `${displayId ?? lane} ${(fromAt - T) / 1000}-${(toAt - T) / 1000} ${reason ?? 'observed'}`
  const account = new LaneAccount({
    kept,
    tell: (statements, now) => {
      said.push(...statements.map(text))
      last = now
    },
  })
  const window = (from: number, to: number, subject: Subject = microphone) =>
    account.windows([
      {
        ...subject,
        fromAt: T + from * 1000,
        toAt: T + to * 1000,
        expectedSeconds: 0,
        observedSeconds: 0,
        gaps: [],
      } as never,
    ])
  return { account, said, window, again: () => opened(last) }
}
const at = (seconds: number): number => T + seconds * 1000

describe("the account of a lane's time", () => {
  it('names the start, the end, and what nobody explained, and says nothing twice', () => {
    const { account, said, window } = opened()
    account.begin(['microphone'], at(0))
    account.begin(['microphone'], at(1))
    window(2, 12)
    account.gap(microphone, { fromAt: at(12), toAt: at(15) }, 'unplugged')
    account.gap(microphone, { fromAt: at(12), toAt: at(16) }, 'unplugged')
    window(16, 20)
    window(18, 22)
    window(30, 32)
    account.stop(at(33))
    expect(said).toEqual([
      'microphone 0-2 starting',
      'microphone 2-12 observed',
      'microphone 12-15 unplugged',
      'microphone 15-16 unplugged',
      'microphone 16-20 observed',
      'microphone 20-22 observed',
      'microphone 22-30 not_reported',
      'microphone 30-32 observed',
      'microphone 32-33 stopping',
    ])
  })

  it('goes on after a kill: what was on the disk was observed, then nobody was there, then it started', () => {
    const first = opened()
    first.account.begin(['microphone'], at(0))
    first.window(1, 11)
    const { account, said, window } = first.again()
    const samples = [{ ...microphone, displayId: undefined, lastAt: at(21), fromAt: at(1) }]
    account.resume(['microphone'], { ...before, samples, heartbeat: at(24) }, at(30))
    account.begin(['microphone'], at(30.5))
    window(32, 42)
    expect(said).toEqual([
      'microphone 11-21 observed',
      'microphone 21-30 agent_stopped',
      'microphone 30-32 starting',
      'microphone 32-42 observed',
    ])
  })

  it('counts nothing as observed that lies before the last pieces without a hole', () => {
    const first = opened()
    first.account.begin(['microphone'], at(0))
    first.account.gap(microphone, { fromAt: at(0), toAt: at(1) }, 'unplugged')
    const { account, said } = first.again()
    const samples = [{ ...microphone, displayId: undefined, lastAt: at(14), fromAt: at(4) }]
    account.resume(['microphone'], { ...before, samples }, at(20))
    expect(said).toEqual(['microphone 1-4 not_reported', 'microphone 4-14 observed', 'microphone 14-20 agent_stopped'])
  })

  it('knows of a lane without an account from its samples, the last heartbeat, or the registration', () => {
    const { account, said } = opened()
    const samples = [
      { lane: 'screen', displayId: 'LEFT', lastAt: at(99), fromAt: undefined },
      { lane: 'screen', displayId: 'GONE', lastAt: at(1), fromAt: undefined },
    ] as const
    account.resume(['screen', 'camera'], { ...before, samples, heartbeat: at(100) }, at(150))
    expect(said).toEqual(['screen 99-150 agent_stopped', 'LEFT 99-150 agent_stopped', 'camera 100-150 agent_stopped'])
    const { account: other, said: told } = opened()
    other.resume(['camera'], { ...before, registeredAt: at(1) }, at(9))
    expect(told).toEqual(['camera 1-9 agent_stopped'])
  })

  it('says nothing more of a display that is gone, nor of one that was not seen since a restart', () => {
    const first = opened()
    first.account.begin(['screen'], at(0))
    for (const displayId of ['LEFT', 'RIGHT']) first.window(1, 5, { lane: 'screen', displayId })
    first.account.displayGone({ lane: 'screen', displayId: 'LEFT' }, at(6))
    expect(first.said.filter((text) => text.startsWith('LEFT'))).toEqual(['LEFT 1-5 observed', 'LEFT 5-6 stopping'])
    const { account, said } = first.again()
    account.resume(['screen'], before, at(20))
    account.stop(at(30))
    expect(said).toEqual(['screen 0-20 agent_stopped', 'RIGHT 5-20 agent_stopped', 'screen 20-30 starting'])
  })

  it('counts nothing as observed that found no room', () => {
    const { account, said, window } = opened()
    const left: Subject = { lane: 'screen', displayId: 'LEFT' }
    window(0, 10, left)
    account.hold(left, at(12))
    window(10, 20, left)
    window(20, 30, left)
    account.release(left, at(25))
    window(30, 40, left)
    expect(said).toEqual([
      'LEFT 0-10 observed',
      'LEFT 10-12 observed',
      'LEFT 12-25 storage_full',
      'LEFT 25-30 not_reported',
      'LEFT 30-40 observed',
    ])
  })

  it('ends with a lane that is not recorded any more, and begins anew when it is again', () => {
    const { account, said, window } = opened()
    account.begin(['microphone'], at(0))
    window(0, 10)
    account.keepOnly(['screen'], at(11))
    account.begin(['microphone'], at(100))
    window(101, 110)
    expect(said.slice(1)).toEqual([
      'microphone 10-11 stopping',
      'microphone 100-101 starting',
      'microphone 101-110 observed',
    ])
  })
})
