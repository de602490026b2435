import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './spool-database.ts'
import { SpoolIndex } from './spool-index.ts'
import { SpoolRoom } from './spool-room.ts'
import { chooseThinned } from './thinning.ts'
import { type ItemHeader, type QueuedItem, SpoolFull } from './types.ts'

const now = 10_000_000
const hour = 3_600_000
const key = Buffer.alloc(32, 1)

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'spool-index-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const header = (clientId: string, sequence: number): ItemHeader => ({
  clientId,
  sequence,
  kind: 'screenshot',
  lane: 'screen',
  displayId: ':0',
  capturedAt: now,
  monotonicMs: 1,
  contentType: 'image/webp',
  sizeBytes: 10,
  sha256: 'a',
  meta: {},
})

const openIndex = async (): Promise<SpoolIndex> => new SpoolIndex((await openDatabase(dir, key, now)).db)

describe('the index of the spool', () => {
  it('never counts a lane back, in whatever order its items are written', async () => {
    const index = await openIndex()
    index.addItem(header('b', 5), 10)
    index.addItem(header('a', 3), 10)
    expect(index.nextSequences().get('screen')).toBe(6)
    index.close()
  })

  it('waits as long as it was told, and no longer where the clock was put back', async () => {
    const index = await openIndex()
    index.addItem(header('a', 0), 10)
    const due = () => index.dueItems(now, 10, 'oldest').map(({ clientId }) => clientId)
    index.postpone('items', ['a'], now + hour)
    expect(due()).toEqual([])
    index.postpone('items', ['a'], now + hour + 1)
    expect(due()).toEqual(['a'])
    index.close()
  })

  it('counts no room for what the service has', async () => {
    const index = await openIndex()
    index.addItem(header('a', 0), 10)
    expect(index.usage().itemBytes).toBe(10)
    index.setItemState(['a'], 'acked')
    expect(index.usage().itemBytes).toBe(0)
    index.close()
  })

  it('is set aside when it was written by a newer version, or with another key', async () => {
    const { db } = await openDatabase(dir, key, 1)
    db.pragma('user_version = 99')
    db.close()
    const newer = await openDatabase(dir, key, 2)
    expect(newer.setAside?.reason).toContain('version 99')
    newer.db.close()
    const other = await openDatabase(dir, Buffer.alloc(32, 2), 3)
    expect(other.setAside?.reason).toBe('written with another key')
    other.db.close()
  })
})

describe('the room of the spool', () => {
  it('is counted over all events that are there', async () => {
    const index = await openIndex()
    const room = new SpoolRoom({ index, maxBytes: undefined, maxEventBytes: 100 })
    room.addEvents(60, () => undefined)
    expect(() => room.addEvents(60, () => undefined)).toThrow(SpoolFull)
    room.addEvents(40, () => undefined)
    index.close()
  })

  it('is made by every second still of each display, and never by the first of one', () => {
    const still = (clientId: string, displayId: string) =>
      ({ clientId, displayId, lane: 'screen', fileBytes: 10 }) as QueuedItem
    const stills = [still('a1', 'a'), still('b1', 'b'), still('a2', 'a'), still('b2', 'b')]
    const ids = (needed: number) => chooseThinned(stills, needed).map(({ clientId }) => clientId)
    expect(ids(10)).toEqual(['a2'])
    expect(ids(1000)).toEqual(['a2', 'b2'])
  })
})
