import 'fake-indexeddb/auto'
import { describe, expect, it, vi } from 'vitest'
import type { Still } from './room.types.ts'
import { defaultLimits, openStillsQueue, type QueueLimits } from './stills.queue.ts'

let databases = 0
const newName = () => {
  databases += 1
  return `queue-${databases}`
}

const still = (n: number, more: Partial<Still> = {}): Still => ({
  clientId: `client-${n}`,
  sessionId: 'ses_1',
  capturedAt: new Date(n * 1_000).toISOString(),
  contentType: 'image/webp',
  sha256: 'a'.repeat(64),
  bytes: new Uint8Array(10).fill(n).buffer,
  width: 4,
  height: 3,
  ...more,
})

/** A queue with these stills, and what it gives out until it is empty. */
const filled = async (count: number, limits: QueueLimits = defaultLimits) => {
  const queue = await openStillsQueue(newName(), limits)
  for (let n = 1; n <= count; n++) await queue.put(still(n))
  const drain = async (): Promise<number[]> => {
    const given: number[] = []
    for (;;) {
      const [next] = await queue.oldest('ses_1', 1)
      if (!next) return given
      given.push(Number(next.clientId.slice(7)))
      await queue.settle(next, 'sent')
    }
  }
  return { queue, drain }
}

describe('the queue of stills', () => {
  it('is told that a picture is kept once the disk has it, not before', async () => {
    const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction')
    const queue = await openStillsQueue(newName())
    transactions.mockClear()
    await queue.put(still(1))
    await queue.settle(still(1), 'sent')
    const writes = transactions.mock.calls.filter(([, mode]) => mode === 'readwrite')
    expect(writes.length).toBeGreaterThan(1)
    for (const [, , options] of writes) expect(options).toEqual({ durability: 'strict' })
    transactions.mockRestore()
  })

  it('gives out what was put in, byte for byte, oldest first', async () => {
    const { queue, drain } = await filled(3)
    expect(await queue.oldest('ses_1', 2)).toEqual([still(1), still(2)])
    expect(await drain()).toEqual([1, 2, 3])
    expect(await queue.progress('ses_1')).toEqual({ waiting: 0, sent: 3, thinned: 0, refused: 0 })
  })

  it('still has what was put in when the page dies before it was sent', async () => {
    const name = newName()
    const before = await openStillsQueue(name)
    await before.put(still(1))
    await before.settle(still(1), 'sent')
    await before.put(still(2))
    before.close()
    const after = await openStillsQueue(name)
    expect(await after.oldest('ses_1', 10)).toEqual([still(2)])
    expect(await after.progress('ses_1')).toEqual({ waiting: 1, sent: 1, thinned: 0, refused: 0 })
  })

  it('keeps a picture that was put in twice once, and counts one that was settled twice once', async () => {
    const { queue, drain } = await filled(1)
    await queue.put(still(1))
    expect((await queue.progress('ses_1')).waiting).toBe(1)
    await queue.settle(still(1), 'refused')
    await queue.settle(still(1), 'sent')
    expect(await queue.progress('ses_1')).toEqual({ waiting: 0, sent: 0, thinned: 0, refused: 1 })
    expect(await drain()).toEqual([])
  })

  it('thins out the older half when there are too many, counts them, and keeps the newest', async () => {
    const { queue, drain } = await filled(9, { maxStills: 8, maxBytes: 1e9 })
    expect(await queue.progress('ses_1')).toMatchObject({ waiting: 6, thinned: 3 })
    expect(await drain()).toEqual([2, 4, 6, 7, 8, 9])
  })

  it('stays within its bytes, however long nothing can be sent', async () => {
    const { queue, drain } = await filled(60, { maxStills: 1e6, maxBytes: 100 })
    const { waiting, thinned } = await queue.progress('ses_1')
    expect(waiting).toBeLessThanOrEqual(10)
    expect(waiting + thinned).toBe(60)
    const left = await drain()
    expect(left).toEqual([...left].sort((a, b) => a - b))
    expect(left.at(-1)).toBe(60)
  })

  it('keeps a single picture that is larger than the bound', async () => {
    const { drain } = await filled(1, { maxStills: 5, maxBytes: 5 })
    expect(await drain()).toEqual([1])
  })

  it('keeps sessions apart', async () => {
    const { queue } = await filled(2)
    await queue.put(still(3, { sessionId: 'ses_2' }))
    expect(await queue.purge('ses_1')).toBe(2)
    expect(await queue.oldest('ses_1', 1)).toEqual([])
    expect((await queue.oldest('ses_2', 9)).map(({ clientId }) => clientId)).toEqual(['client-3'])
    expect((await queue.progress('ses_1')).sent).toBe(0)
  })

  it('forgets what nobody came back for within a day, and nothing younger', async () => {
    const name = newName()
    const day = 24 * 3_600_000
    let now = day
    const first = await openStillsQueue(name, defaultLimits, () => now)
    await first.put(still(1))
    now += 1
    await first.put(still(2))
    first.close()
    now = 2 * day + 1
    const later = await openStillsQueue(name, defaultLimits, () => now)
    expect((await later.oldest('ses_1', 9)).map(({ clientId }) => clientId)).toEqual(['client-2'])
  })

  it('makes room and tries once more when the disk gives less than the bound', async () => {
    const { queue, drain } = await filled(8)
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await queue.put(still(9))
    vi.restoreAllMocks()
    const { waiting, thinned } = await queue.progress('ses_1')
    expect(waiting + thinned).toBe(9)
    expect(thinned).toBeGreaterThan(0)
    expect((await drain()).at(-1)).toBe(9)
  })
})
