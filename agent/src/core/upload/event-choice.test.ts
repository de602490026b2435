import { type IntegrityEventKind, integrityEventKinds } from '@integrity/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import type { EventRow } from '../spool/spool-index.ts'
import { EventChoice } from './event-choice.ts'

let clock: ManualClock
let choice: EventChoice
let isLinked: boolean
beforeEach(() => {
  clock = new ManualClock()
  isLinked = true
  choice = new EventChoice({ clock, isLinked: () => isLinked })
})

const rows = (count: number, { bytes = 300, attempts = 0 } = {}): EventRow[] =>
  Array.from({ length: count }, (_, n) => ({ client_id: `event-${n}`, body: Buffer.alloc(bytes), attempts }))
const isReady = (due: readonly EventRow[], limit = 500): boolean => choice.isReady(due, limit)
/** What there is at the beginning goes at once. */
const begun = (): void => expect(isReady(rows(1))).toBe(true)

describe('events', () => {
  it('that wait at the beginning go at once, then what came together in 41 seconds', () => {
    expect(isReady([])).toBe(false)
    begun()
    expect(isReady(rows(1))).toBe(false)
    clock.advance(40_999)
    expect(isReady(rows(5))).toBe(false)
    clock.advance(1)
    expect(isReady(rows(5))).toBe(true)
    expect(isReady(rows(1))).toBe(false)
  })

  it('wait for nothing while somebody watches', () => {
    begun()
    choice.atOnce(clock.monotonicMs() + 5000)
    expect(isReady(rows(1))).toBe(true)
    clock.advance(5000)
    expect(isReady(rows(1))).toBe(false)
  })

  it('wait ten seconds while the service cannot say that somebody watches', () => {
    begun()
    isLinked = false
    expect(isReady(rows(1))).toBe(false)
    clock.advance(10_000)
    expect(isReady(rows(2))).toBe(true)
  })

  it('do not wait when they are as many as a request takes, and what is left behind them does not wait either', () => {
    begun()
    expect(isReady(rows(499))).toBe(false)
    expect(isReady(rows(500))).toBe(true)
    expect(isReady(rows(3))).toBe(true)
    expect(isReady(rows(3))).toBe(false)
  })

  it('do not wait when they are more than 256 KiB', () => {
    begun()
    expect(isReady(rows(15, { bytes: 16 * 1024 }))).toBe(false)
    expect(isReady(rows(16, { bytes: 16 * 1024 }))).toBe(true)
  })

  it('do not wait a second time after they failed', () => {
    begun()
    expect(isReady(rows(2, { attempts: 1 }))).toBe(true)
    expect(isReady(rows(2))).toBe(false)
    choice.failed()
    expect(isReady(rows(2))).toBe(true)
  })
})

describe('an event that somebody acts upon', () => {
  const waits = (kind: string): boolean => {
    choice.stored(['foreground.changed', kind])
    return !isReady(rows(2))
  }
  const pressing: readonly IntegrityEventKind[] = [
    ...(['agent.started', 'agent.stopping', 'lane.health', 'lane.withdrawn', 'permission.changed'] as const),
  ]

  it.each(pressing)('goes at once with all that wait: %s', (kind) => {
    begun()
    expect(isReady(rows(1))).toBe(false)
    expect(waits(kind)).toBe(false)
    // And does so once.
    expect(isReady(rows(1))).toBe(false)
  })

  it('is no other one', () => {
    begun()
    const others = Object.keys(integrityEventKinds).filter((kind) => !pressing.includes(kind as IntegrityEventKind))
    expect(others).toContain('lane.coverage')
    expect(others.filter((kind) => !waits(kind))).toEqual([])
  })
})
