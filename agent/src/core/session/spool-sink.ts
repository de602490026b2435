import { isRecordedLane, type LaneName } from '@integrity/protocol'
import type { CapturedItem, LaneSink } from '../capture/types.ts'
import type { Spool } from '../spool/spool.ts'
import { SpoolFull } from '../spool/types.ts'
import type { Subject } from './account-subject.ts'
import type { LaneAccount } from './lane-account.ts'
import type { LaneListener } from './ports.ts'
import type { SessionEvents } from './session-events.ts'

/** Less is what measuring it differs by. */
const clockStepMs = 5

/** What the lanes deliver into: the spool, and the events that say what is missing. */
export interface SpoolSink extends LaneSink {
  /** Writes down a stretch without room that has not ended yet; called when the lanes stop. */
  settle(): void
}

type NoRoom = Subject & { readonly until: number }

export interface SpoolSinkOptions {
  readonly spool: Spool
  readonly events: SessionEvents
  readonly account: () => Pick<LaneAccount, 'gap' | 'hold' | 'release' | 'displayGone'>
  /** Has the lanes say what they observed until now. */
  readonly isObserved: () => void
  readonly listener?: LaneListener | undefined
  /** After an item is durable. */
  readonly onStored: () => void
}

/** Some lanes record by another clock than the computer's; that is an event, said when it is first known and when it moves. */
const createClockNotes = (events: SessionEvents): ((lane: LaneName, offsetMs: number | undefined) => void) => {
  const offsets = new Map<string, number>()
  return (lane, offsetMs) => {
    const before = offsets.get(lane)
    if (offsetMs === undefined || (before !== undefined && Math.abs(offsetMs - before) < clockStepMs)) return
    offsets.set(lane, offsetMs)
    events.note('lane.clock', 'lanes', { lane, offsetMs })
  }
}

/**
 * An item is captured once `item` resolves. When there is no room the item is given up and the stretch becomes one
 * gap with reason `storage_full`, from the first item that found none to the next that does. The lane is not failed
 * for it: its driver works, so `item` resolves and the gap is what tells.
 */
export const createSpoolSink = (options: SpoolSinkOptions): SpoolSink => {
  const { spool, events, account, isObserved, listener, onStored } = options
  const full = new Map<string, NoRoom>()
  const noteClock = createClockNotes(events)

  const endFull = (key: string, at?: number): void => {
    const stretch = full.get(key)
    if (!stretch) return
    full.delete(key)
    account().release(stretch, at ?? stretch.until)
  }

  const foundNoRoom = (key: string, item: CapturedItem): void => {
    const until = item.capturedAt + (item.durationMs ?? 0)
    if (!full.has(key)) account().hold(item, item.capturedAt)
    full.set(key, { lane: item.lane, displayId: item.displayId, until })
  }

  return {
    item: async (item) => {
      const key = `${item.kind}\n${item.displayId ?? ''}`
      const { clockOffsetMs, ...meta } = item.meta
      try {
        await spool.put({ ...item, meta })
      } catch (error) {
        if (!(error instanceof SpoolFull)) throw error
        foundNoRoom(key, item)
        return false
      }
      endFull(key, item.capturedAt)
      noteClock(item.lane, clockOffsetMs)
      listener?.item(item)
      onStored()
      return true
    },
    unchanged: (displayId, at) => spool.signs.markSample('screen', displayId, at),
    displayGone: (displayId, at) => {
      isObserved()
      account().displayGone({ lane: 'screen', displayId }, at)
    },
    gap: (gap) => {
      const { from: fromAt, to: toAt, reason } = gap
      if (isRecordedLane(gap.lane)) account().gap(gap, { fromAt, toAt }, reason)
      else events.gap(gap)
    },
    health: (report) => {
      listener?.health(report)
      events.health(report)
    },
    ...(listener ? { sample: (lane, sample) => listener.sample(lane, sample) } : {}),
    settle: () => {
      for (const key of [...full.keys()]) endFull(key)
    },
  }
}
