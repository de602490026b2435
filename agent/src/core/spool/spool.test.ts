import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import type { CapturedItem } from '../capture/types.ts'
import { ItemFiles } from './item-files.ts'
import { fileKeyStore } from './key-store.ts'
import { Spool } from './spool.ts'
import type { SpoolOptions } from './spool.types.ts'
import { SpoolFull, SpoolInUse, type SpoolReport } from './types.ts'

let dir: string
let clock: ManualClock
let reports: SpoolReport[]
const open: Spool[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'spool-'))
  clock = new ManualClock()
  reports = []
})
afterEach(async () => {
  for (const spool of open.splice(0)) await spool.close()
  await rm(dir, { recursive: true, force: true })
})

const openSpool = async (overrides: Partial<SpoolOptions> = {}): Promise<Spool> => {
  const spool = await Spool.open({
    dir,
    keyStore: fileKeyStore(dir),
    clock,
    onReport: (report) => reports.push(report),
    ...overrides,
  })
  open.push(spool)
  return spool
}

/** As a killed process leaves it: closed, but nothing else done. */
const leave = async (spool: Spool): Promise<void> => {
  open.splice(open.indexOf(spool), 1)
  await spool.close()
}

const buildInput = (overrides: Partial<CapturedItem> = {}): CapturedItem => ({
  kind: 'screenshot',
  lane: 'screen',
  displayId: ':1.0',
  capturedAt: clock.wallMs(),
  monotonicMs: clock.monotonicMs(),
  contentType: 'image/webp',
  bytes: randomBytes(1000),
  meta: { width: 1920, height: 1080 },
  ...overrides,
})

const buildEvent = (kind = 'display.added') => ({
  kind,
  observedAt: clock.wallMs(),
  monotonicMs: clock.monotonicMs(),
  source: 'displays',
  data: { name: 'second display' },
})

const eventsOf = (spool: Spool, kind: string) => {
  const events = spool.nextEvents()
  spool.release(events.map((event) => event.clientId))
  return events.filter((event) => event.kind === kind)
}

const drainItems = async (spool: Spool) => {
  const items: { header: { clientId: string; sequence: number }; bytes: Buffer }[] = []
  for (let item = spool.nextItem(); item; item = spool.nextItem()) items.push(await spool.read(item))
  return items
}

describe('spool', () => {
  it('gives back the same bytes after it was closed and opened again', async () => {
    const bytes = randomBytes(50_000)
    const first = await openSpool()
    const stored = await first.put(buildInput({ bytes, durationMs: 5000 }))
    await leave(first)
    const second = await openSpool()
    const item = second.nextItem()
    const read = await second.read(item!)
    expect(read.bytes.equals(bytes)).toBe(true)
    expect(read.header).toEqual(stored)
    expect(read.header.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(reports).toEqual([])
  })

  it('leaves no plain byte of an item, an event or a token on the disk', async () => {
    const marker = Buffer.from('a-very-plain-marker')
    const spool = await openSpool()
    await spool.put(buildInput({ bytes: Buffer.concat([marker, marker]), meta: { device: marker.toString() } }))
    spool.putEvents([{ ...buildEvent(), data: { name: marker.toString() } }])
    await spool.record('session', z.object({ token: z.string() })).save({ token: marker.toString() })
    await leave(spool)
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const found = (await readFile(join(entry.parentPath, entry.name))).includes(marker)
      expect({ file: entry.name, found }).toEqual({ file: entry.name, found: false })
    }
  })

  it('keeps its key in a file that only the user can read and calls that protection basic', async () => {
    await openSpool()
    const store = fileKeyStore(dir)
    expect(store.protection).toBe('basic')
    if (process.platform !== 'win32') expect((await stat(join(dir, 'spool.key'))).mode & 0o777).toBe(0o600)
  })

  it('numbers the items of each lane from 0 and goes on after a restart', async () => {
    const first = await openSpool()
    await first.put(buildInput())
    await first.put(buildInput())
    await first.put(buildInput({ kind: 'audio_chunk', lane: 'microphone' }))
    for (let item = first.nextItem(); item; item = first.nextItem()) await first.ack(item.clientId)
    await leave(first)
    const second = await openSpool()
    expect((await second.put(buildInput())).sequence).toBe(2)
    expect((await second.put(buildInput({ kind: 'audio_chunk', lane: 'microphone' }))).sequence).toBe(1)
  })

  it('removes row and file only once acknowledged', async () => {
    const spool = await openSpool()
    const stored = await spool.put(buildInput())
    const item = spool.nextItem()
    expect(await readdir(join(dir, 'items'))).toEqual([`${stored.clientId}.item`])
    await spool.ack(item!.clientId)
    expect(await readdir(join(dir, 'items'))).toEqual([])
    expect(spool.remaining()).toEqual({ events: 0, segments: 0, items: 0, bytes: 0, byKind: {}, refused: 0 })
  })

  it('claims the oldest first, each once, and again after release, failure and restart', async () => {
    const first = await openSpool()
    const a = await first.put(buildInput())
    const b = await first.put(buildInput())
    expect(first.nextItem()?.clientId).toBe(a.clientId)
    expect(first.nextItem()?.clientId).toBe(b.clientId)
    expect(first.nextItem()).toBeUndefined()
    first.release([b.clientId])
    expect(first.nextItem()?.clientId).toBe(b.clientId)
    first.fail('items', [a.clientId], clock.wallMs() + 1000)
    expect(first.nextItem()).toBeUndefined()
    clock.advance(1000)
    expect(first.nextItem()).toMatchObject({ clientId: a.clientId, attempts: 1 })
    await leave(first)
    const second = await openSpool()
    expect(second.nextItem()?.clientId).toBe(a.clientId)
  })

  it('claims the newest where that is asked for, each once', async () => {
    const spool = await openSpool()
    const [a, b, c] = [await spool.put(buildInput()), await spool.put(buildInput()), await spool.put(buildInput())]
    expect(spool.nextItem('newest')?.clientId).toBe(c.clientId)
    expect(spool.nextItem()?.clientId).toBe(a.clientId)
    expect(spool.nextItem('newest')?.clientId).toBe(b.clientId)
    expect(spool.nextItem('newest')).toBeUndefined()
  })

  it('keeps the upload begun for an item over a restart', async () => {
    const first = await openSpool()
    const stored = await first.put(buildInput())
    first.setUploadId(stored.clientId, 'upl_1')
    await leave(first)
    expect((await openSpool()).nextItem()?.uploadId).toBe('upl_1')
  })

  it('hands out events in order, at most 500 at once', async () => {
    const spool = await openSpool()
    const ids = spool.putEvents(Array.from({ length: 600 }, (_, index) => buildEvent(`display.e${index}`)))
    const batch = spool.nextEvents()
    expect(batch.map((event) => event.clientId)).toEqual(ids.slice(0, 500))
    expect(batch[0]).toMatchObject({ kind: 'display.e0', source: 'displays', data: { name: 'second display' } })
    spool.ackEvents(batch.map((event) => event.clientId))
    expect(spool.nextEvents().map((event) => event.clientId)).toEqual(ids.slice(500))
    expect(spool.remaining().events).toBe(100)
  })

  it('refuses a second process on the same folder', async () => {
    await openSpool()
    await expect(Spool.open({ dir, keyStore: fileKeyStore(dir) })).rejects.toThrow(SpoolInUse)
  })

  it('remembers the newest sample of each display over a restart', async () => {
    const first = await openSpool()
    await first.put(buildInput({ capturedAt: 1000 }))
    await first.put(
      buildInput({ kind: 'audio_chunk', lane: 'microphone', displayId: undefined, capturedAt: 1000, durationMs: 500 }),
    )
    first.signs.markSample('screen', ':1.0', 4000)
    first.signs.markSample('screen', ':1.0', 3000)
    first.signs.heartbeat()
    await leave(first)
    const second = await openSpool()
    expect(second.signs.lastSamples()).toEqual([
      { lane: 'microphone', displayId: undefined, lastAt: 1500, fromAt: 1000 },
      { lane: 'screen', displayId: ':1.0', lastAt: 4000, fromAt: undefined },
    ])
    expect(second.signs.lastHeartbeat()).toBe(clock.wallMs())
  })

  it('keeps a refused item with its reason, and shreds it where nothing of it may stay', async () => {
    const spool = await openSpool()
    const kept = await spool.put(buildInput())
    const shredded = await spool.put(buildInput())
    await spool.refuse(spool.nextItem()!, '400 invalid_request', false)
    await spool.refuse(spool.nextItem()!, '403 forbidden', true)
    expect(spool.nextItem()).toBeUndefined()
    expect(spool.remaining()).toMatchObject({ items: 0, refused: 2 })
    expect(await readdir(join(dir, 'items'))).toEqual([`${kept.clientId}.item`])
    await leave(spool)
    const again = await openSpool()
    // By their ids, which are in no order within a millisecond.
    expect(again.refusals()).toHaveLength(2)
    expect(again.refusals()).toEqual(
      expect.arrayContaining([
        { clientId: kept.clientId, what: 'screenshot', reason: '400 invalid_request' },
        { clientId: shredded.clientId, what: 'screenshot', reason: '403 forbidden' },
      ]),
    )
    expect(reports.map((report) => report.kind)).toEqual(['refused', 'refused'])
  })

  it('forgets an earlier session only when nothing of it is left to send', async () => {
    const spool = await openSpool()
    await spool.put(buildInput())
    await expect(spool.reset()).rejects.toThrow('still to be sent')
    await spool.ack(spool.nextItem()!.clientId)
    await spool.reset()
    expect(spool.signs.lastSamples()).toEqual([])
    expect((await spool.put(buildInput())).sequence).toBe(0)
  })
})

describe('a full spool', () => {
  const still = (size = 10_000) => buildInput({ bytes: randomBytes(size) })
  const sound = (size = 10_000) => buildInput({ kind: 'audio_chunk', lane: 'microphone', bytes: randomBytes(size) })

  it('thins every second of the oldest stills and records it as an event', async () => {
    const spool = await openSpool({ maxBytes: 105_000 })
    const stored: string[] = []
    for (let index = 0; index < 9; index += 1) {
      stored.push((await spool.put(still())).clientId)
      clock.advance(1000)
    }
    await spool.put(sound(20_000))
    const left = (await drainItems(spool)).map((item) => item.header.clientId)
    expect(left).not.toContain(stored[1])
    expect(left).toContain(stored[0])
    expect(left).toContain(stored[2])
    expect(left).toContain(stored[8])
    const gone = stored.filter((clientId) => !left.includes(clientId))
    expect(eventsOf(spool, 'spool.thinned').map((event) => event.data)).toEqual([
      expect.objectContaining({ lane: 'screen', items: gone.length, fromAt: '2026-03-02T09:00:01.000Z' }),
    ])
    expect(reports).toContainEqual({ kind: 'thinned', lane: 'screen', items: gone.length })
  })

  it('never holds more than its bound while puts run at once', async () => {
    const spool = await openSpool({ maxBytes: 60_000 })
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => spool.put(sound())))
    const stored = results.filter((result) => result.status === 'fulfilled').length
    expect(stored).toBe(5)
    expect(spool.remaining().bytes).toBe(50_000)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(SpoolFull)
  })

  it('never thins sound or clips: it refuses the newcomer and keeps its sequence whole', async () => {
    const spool = await openSpool({ maxBytes: 35_000 })
    await spool.put(sound())
    await spool.put(sound())
    await spool.put(buildInput({ kind: 'screen_clip', contentType: 'video/mp4', bytes: randomBytes(10_000) }))
    await expect(spool.put(sound())).rejects.toThrow(SpoolFull)
    expect(spool.remaining().items).toBe(3)
    expect(spool.putEvents([buildEvent()])).toHaveLength(1)
    await spool.ack(spool.nextItem()!.clientId)
    expect((await spool.put(sound())).sequence).toBe(2)
  })

  it('leaves a still alone that is being sent', async () => {
    const spool = await openSpool({ maxBytes: 35_000 })
    await spool.put(still())
    await spool.put(still())
    await spool.put(still())
    const claimed = [spool.nextItem()!, spool.nextItem()!, spool.nextItem()!]
    await expect(spool.put(sound())).rejects.toThrow(SpoolFull)
    for (const item of claimed) expect((await spool.read(item)).bytes).toHaveLength(10_000)
  })

  it('refuses events beyond their own room instead of dropping any', async () => {
    const spool = await openSpool({ maxEventBytes: 600 })
    spool.putEvents([buildEvent()])
    expect(() => spool.putEvents(Array.from({ length: 10 }, () => buildEvent()))).toThrow(SpoolFull)
    expect(spool.remaining().events).toBe(1)
  })
})

describe('a damaged spool', () => {
  it('sets a corrupt index aside, begins a new one and adopts every item with its identity', async () => {
    const first = await openSpool()
    const stored = [
      await first.put(buildInput()),
      await first.put(buildInput({ kind: 'audio_chunk', lane: 'microphone', capturedAt: clock.wallMs() + 1 })),
    ]
    await leave(first)
    await writeFile(join(dir, 'spool.db'), randomBytes(8192))
    const second = await openSpool()
    expect(reports[0]).toMatchObject({ kind: 'database_set_aside' })
    expect(await readdir(dir)).toContainEqual(expect.stringMatching(/^spool\.db\.set-aside-/))
    const items = await drainItems(second)
    expect(items.map((item) => item.header)).toEqual(stored)
    expect((await second.put(buildInput())).sequence).toBe(1)
  })

  it('keeps the session when the index is lost', async () => {
    const schema = z.object({ token: z.string() })
    const first = await openSpool()
    await first.record('session', schema).save({ token: 'sst_1' })
    await leave(first)
    await writeFile(join(dir, 'spool.db'), randomBytes(8192))
    expect(await (await openSpool()).record('session', schema).load()).toEqual({ token: 'sst_1' })
  })

  it('reports a row whose file is gone as a loss and records it as an event', async () => {
    const first = await openSpool()
    const lost = await first.put(buildInput())
    await first.put(buildInput())
    await leave(first)
    await rm(join(dir, 'items', `${lost.clientId}.item`))
    const second = await openSpool()
    expect(reports).toEqual([{ kind: 'lost', lane: 'screen', items: 1, reason: 'file_missing' }])
    expect(second.remaining().items).toBe(1)
    expect(eventsOf(second, 'spool.lost').map((event) => event.data)).toEqual([
      expect.objectContaining({ lane: 'screen', items: 1, reason: 'file_missing' }),
    ])
  })

  it('sets aside what has another length than its row says, and reports a loss', async () => {
    const first = await openSpool()
    const cut = await first.put(buildInput())
    await leave(first)
    const path = join(dir, 'items', `${cut.clientId}.item`)
    await writeFile(path, (await readFile(path)).subarray(0, -1))
    const second = await openSpool()
    expect(reports).toEqual([{ kind: 'lost', lane: 'screen', items: 1, reason: 'file_missing' }])
    expect(second.remaining().items).toBe(0)
    expect(await readdir(join(dir, 'items'))).toEqual([`${cut.clientId}.item.unreadable`])
  })

  it('loses nothing when it is killed between the file and the row of what was acknowledged', async () => {
    const first = await openSpool()
    const sent = await first.put(buildInput())
    const killed = vi.spyOn(ItemFiles.prototype, 'remove').mockImplementationOnce(async () => {
      await rm(join(dir, 'items', `${sent.clientId}.item`))
      throw new Error('killed')
    })
    await expect(first.ack(first.nextItem()!.clientId)).rejects.toThrow('killed')
    killed.mockRestore()
    await leave(first)
    const second = await openSpool()
    expect(reports).toEqual([])
    expect(second.remaining()).toMatchObject({ items: 0, refused: 0 })
  })

  it('reports an altered file when it is read, keeps it aside and goes on with the others', async () => {
    const spool = await openSpool()
    const altered = await spool.put(buildInput())
    const good = await spool.put(buildInput())
    const path = join(dir, 'items', `${altered.clientId}.item`)
    const bytes = await readFile(path)
    bytes[100] = bytes[100]! ^ 1
    await writeFile(path, bytes)
    await expect(spool.read(spool.nextItem()!)).rejects.toThrow('file_unreadable')
    expect(spool.nextItem()?.clientId).toBe(good.clientId)
    expect(spool.remaining().items).toBe(1)
    expect(await readdir(join(dir, 'items'))).toContain(`${altered.clientId}.item.unreadable`)
    expect(eventsOf(spool, 'spool.lost')).toHaveLength(1)
  })

  it('removes what a put left half-written and adopts a whole file without a row', async () => {
    const first = await openSpool()
    const stored = await first.put(buildInput())
    const file = await readFile(join(dir, 'items', `${stored.clientId}.item`))
    await first.ack(first.nextItem()!.clientId)
    await leave(first)
    await writeFile(join(dir, 'items', `${stored.clientId}.item`), file)
    await writeFile(join(dir, 'items', 'half.item.1234.tmp'), file.subarray(0, 10))
    const second = await openSpool()
    expect(reports).toEqual([{ kind: 'adopted', clientId: stored.clientId, lane: 'screen' }])
    expect(await readdir(join(dir, 'items'))).toEqual([`${stored.clientId}.item`])
    expect((await drainItems(second)).map((item) => item.header)).toEqual([stored])
  })
})
