import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../jobs/manual-clock.test-support.ts'
import { type FollowItem, follow, shareReads } from './follow.ts'

/** Rows that become readable one after the other, as committed ones do, with wakes that may be lost. */
const createRows = () => {
  const rows: FollowItem[] = []
  const listeners = new Set<() => void>()
  let reads = 0
  return {
    rows,
    get reads() {
      return reads
    },
    get listening() {
      return listeners.size
    },
    append(wake = true) {
      const position = rows.length + 1
      rows.push({ position, frame: Buffer.from(`${position}`) })
      if (wake) for (const listener of listeners) listener()
    },
    readAfter: async (position: number, limit: number) => {
      reads += 1
      await new Promise(setImmediate)
      return rows.slice(position, position + limit)
    },
    head: async () => rows.length,
    wake: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A consumer that notes what it gets and can be waited for. */
const createConsumer = () => {
  const got: string[] = []
  const ended = new AbortController()
  const watchers = new Set<() => void>()
  return {
    got,
    connection: {
      ended: ended.signal,
      send: (bytes: Buffer) => {
        got.push(bytes.toString())
        for (const watcher of watchers) watcher()
        return !ended.signal.aborted
      },
      drained: () => new Promise<void>((resolve) => setImmediate(resolve)),
      end: () => ended.abort(),
    },
    has: (count: number) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (got.length < count) return
          watchers.delete(check)
          resolve()
        }
        watchers.add(check)
        check()
      }),
  }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `${from + n}`)

const settle = async (clock: ManualClock) => {
  await clock.asleep(1)
  clock.advance(2000)
}

describe('follow', () => {
  it('replays what is after the given position and goes on live', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    for (let n = 0; n < 250; n++) source.append()
    const done = follow({ ...source, clock, connection: consumer.connection, from: 20 })
    await consumer.has(230)
    source.append()
    await consumer.has(231)
    expect(consumer.got).toEqual(numbers(21, 251))
    consumer.connection.end()
    await done
    expect(source.listening).toBe(0)
  })

  it('begins with what comes next when no position is given', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    source.append()
    const done = follow({ ...source, clock, connection: consumer.connection })
    await clock.asleep(1)
    source.append()
    await consumer.has(1)
    expect(consumer.got).toEqual(['2'])
    consumer.connection.end()
    await done
  })

  it('finds an item whose wake was lost at the next poll', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    const done = follow({ ...source, clock, connection: consumer.connection, from: 0 })
    await clock.asleep(1)
    source.append(false)
    expect(consumer.got).toEqual([])
    await settle(clock)
    await consumer.has(1)
    consumer.connection.end()
    await done
  })

  it('loses nothing and repeats nothing, whenever items arrive, with or without a wake', async () => {
    const step = fc.record({
      turns: fc.integer({ min: 0, max: 4 }),
      items: fc.integer({ min: 1, max: 7 }),
      wake: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 9 }),
        async (steps, before) => {
          const [clock, source] = [createManualClock(), createRows()]
          const shared = shareReads(source.readAfter, source.wake)
          const consumers = [createConsumer(), createConsumer()]
          for (let n = 0; n < before; n++) source.append()
          const options = { ...source, readAfter: shared.readAfter, clock, from: 0, batch: 3 }
          const running = consumers.map(({ connection }) => follow({ ...options, connection }))
          for (const { turns, items, wake } of steps) {
            for (let n = 0; n < turns; n++) await new Promise(setImmediate)
            for (let n = 0; n < items; n++) source.append(wake)
          }
          await clock.asleep(2)
          clock.advance(2000)
          await Promise.all(consumers.map((consumer) => consumer.has(source.rows.length)))
          await clock.asleep(2)
          for (const { got, connection } of consumers) {
            expect(got).toEqual(numbers(1, source.rows.length))
            connection.end()
          }
          await Promise.all(running)
          shared.close()
        },
      ),
      { numRuns: 150 },
    )
  })

  it('tells a client that is too far behind and goes on live', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    for (let n = 0; n < 300; n++) source.append()
    const gap = { maxBehind: 200, frame: (requested: number, head: number) => Buffer.from(`gap ${requested} ${head}`) }
    const done = follow({ ...source, clock, connection: consumer.connection, from: 99, gap })
    await clock.asleep(1)
    source.append()
    await consumer.has(2)
    expect(consumer.got).toEqual(['gap 99 300', '301'])
    consumer.connection.end()
    await done
  })

  it('replays a client that is behind by exactly what is allowed', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    for (let n = 0; n < 300; n++) source.append()
    const gap = { maxBehind: 200, frame: () => Buffer.from('gap') }
    const done = follow({ ...source, clock, connection: consumer.connection, from: 100, gap })
    await consumer.has(200)
    expect(consumer.got).toEqual(numbers(101, 300))
    consumer.connection.end()
    await done
  })

  it('passes over items that the stream does not show', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    for (let n = 0; n < 10; n++) source.append()
    const readAfter = async (position: number, limit: number) =>
      (await source.readAfter(position, limit)).map((item) =>
        item.position % 2 === 0 ? item : { ...item, frame: null },
      )
    const done = follow({ ...source, readAfter, clock, connection: consumer.connection, from: 0, batch: 3 })
    await consumer.has(5)
    await clock.asleep(1)
    expect(consumer.got).toEqual(['2', '4', '6', '8', '10'])
    consumer.connection.end()
    await done
  })

  it('ends the stream and rejects when the items cannot be read', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    const readAfter = () => Promise.reject(new Error('database away'))
    await expect(follow({ ...source, readAfter, clock, connection: consumer.connection, from: 0 })).rejects.toThrow(
      'away',
    )
    expect(consumer.connection.ended.aborted).toBe(true)
    expect(source.listening).toBe(0)
  })
})

describe('shareReads', () => {
  it('reads once for all that ask for the same position at the same time', async () => {
    const source = createRows()
    source.append()
    const { readAfter } = shareReads(source.readAfter, source.wake)
    const [a, b] = await Promise.all([readAfter(0, 10), readAfter(0, 10)])
    expect(source.reads).toBe(1)
    expect(a).toBe(b)
    await readAfter(0, 10)
    expect(source.reads).toBe(2)
  })

  it('does not answer from a read that began before a wake', async () => {
    const source = createRows()
    const { readAfter } = shareReads(async (position, limit) => {
      const found = source.rows.slice(position, position + limit)
      await new Promise(setImmediate)
      return found
    }, source.wake)
    const before = readAfter(0, 10)
    source.append()
    const after = readAfter(0, 10)
    expect(await before).toHaveLength(0)
    expect(await after).toHaveLength(1)
  })
})
