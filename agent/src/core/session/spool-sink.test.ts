import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integrityEventKinds, readKinds } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import type { CapturedItem, LaneName } from '../capture/types.ts'
import { fileKeyStore } from '../spool/key-store.ts'
import { Spool } from '../spool/spool.ts'
import { LaneAccount } from './lane-account.ts'
import { SessionEvents } from './session-events.ts'
import { createSpoolSink } from './spool-sink.ts'

describe('what the lanes deliver into', () => {
  let dir: string
  let spool: Spool
  let stored: number
  let troubles: string[]

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sink-'))
    spool = await Spool.open({ dir, keyStore: fileKeyStore(dir) })
    stored = 0
    troubles = []
  })
  afterEach(async () => {
    await spool.close()
    await rm(dir, { recursive: true, force: true })
  })

  const openSink = () => {
    const onTrouble = (trouble: string): void => void troubles.push(trouble)
    const events = new SessionEvents({ spool, clock: systemClock, onStored: () => undefined, onTrouble })
    const onStored = (): void => {
      stored += 1
    }
    const account = new LaneAccount({ kept: undefined, tell: (...told) => events.account(...told) })
    return createSpoolSink({ spool, events, account: () => account, isObserved: () => undefined, onStored })
  }
  const still = (lane: LaneName, clockOffsetMs?: number): CapturedItem => ({
    kind: lane === 'camera' ? 'camera_frame' : 'screenshot',
    lane,
    capturedAt: Date.now(),
    monotonicMs: performance.now(),
    contentType: 'image/webp',
    bytes: Buffer.from('a picture'),
    meta: { width: 4, height: 2, ...(clockOffsetMs === undefined ? {} : { clockOffsetMs }) },
  })
  /** Claims them: they are there once. */
  const clockEvents = () => spool.nextEvents(100).flatMap(({ kind, data }) => (kind === 'lane.clock' ? [data] : []))

  it('says how far the clock of a lane is off when it is first known and when it moves, lane by lane', async () => {
    const sink = openSink()
    for (const offset of [-3_600_000, -3_599_996, -3_600_004, -3_599_995]) await sink.item(still('screen', offset))
    await sink.item(still('camera', 0))
    const told = clockEvents()
    expect(told).toEqual([
      { lane: 'screen', offsetMs: -3_600_000 },
      { lane: 'screen', offsetMs: -3_599_995 },
      { lane: 'camera', offsetMs: 0 },
    ])
    for (const data of told) expect(readKinds['lane.clock'].parse(data)).toEqual(data)
    expect(Object.keys(integrityEventKinds)).toContain('lane.clock')
    expect(troubles).toEqual([])
  })

  it('says nothing of a lane that goes by the clock of the computer', async () => {
    const sink = openSink()
    await sink.item(still('screen'))
    expect(clockEvents()).toEqual([])
    expect(stored).toBe(1)
  })

  it('keeps the distance out of what is sent with the item', async () => {
    await openSink().item(still('screen', 7))
    const { header } = await spool.read(spool.nextItem()!)
    expect(header.meta).toEqual({ width: 4, height: 2 })
  })
})
