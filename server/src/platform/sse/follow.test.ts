import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../manual-clock.test-support.ts'
import { createFeeds, type FollowItem } from './follow.ts'

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
      rows.push({ position, frame: Buffer.from(`${position}\n`) })
      if (wake) for (const listener of listeners) listener()
    },
    readAfter: async (position: number, limit: number) => {
      reads += 1
      await new Promise(setImmediate)
      return rows.slice(position, position + limit)
    },
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
        got.push(...bytes.toString().trimEnd().split('\n'))
        for (const watcher of watchers) watcher()
        return !ended.signal.aborted
      },
      drained: () => new Promise<void>((resolve) => setImmediate(resolve)),
      end: () => ended.abort(),
      behind: false,
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
    const done = createFeeds({ clock }).follow({ ...source, key: 'a', connection: consumer.connection, from: 20 })
    await consumer.has(230)
    source.append()
    await consumer.has(231)
    expect(consumer.got).toEqual(numbers(21, 251))
    consumer.connection.end()
    await done
    expect(source.listening).toBe(0)
  })

  it('finds an item whose wake was lost at the next poll', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    const done = createFeeds({ clock }).follow({ ...source, key: 'a', connection: consumer.connection, from: 0 })
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
          const feeds = createFeeds({ clock })
          const consumers = [createConsumer(), createConsumer(), createConsumer()]
          for (let n = 0; n < before; n++) source.append()
          // One comes when the others have gone on, and one is behind now and then.
          const begin = ({ connection }: ReturnType<typeof createConsumer>) =>
            feeds.follow({ ...source, key: 'a', connection, from: 0, batch: 3 })
          const [first, second, third] = consumers as [
            (typeof consumers)[0],
            (typeof consumers)[0],
            (typeof consumers)[0],
          ]
          const running = [begin(first), begin(second)]
          for (const [index, { turns, items, wake }] of steps.entries()) {
            for (let n = 0; n < turns; n++) await new Promise(setImmediate)
            for (let n = 0; n < items; n++) source.append(wake)
            second.connection.behind = !wake
            if (index === Math.floor(steps.length / 2)) running.push(begin(third))
          }
          second.connection.behind = false
          await clock.asleep(1)
          clock.advance(2000)
          await Promise.all(consumers.map((consumer) => consumer.has(source.rows.length)))
          await clock.asleep(1)
          for (const { got, connection } of consumers) {
            expect(got).toEqual(numbers(1, source.rows.length))
            connection.end()
          }
          await Promise.all(running)
          expect(feeds.size).toBe(0)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('passes over items that the stream does not show', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    for (let n = 0; n < 10; n++) source.append()
    const readAfter = async (position: number, limit: number) =>
      (await source.readAfter(position, limit)).map((item) =>
        item.position % 2 === 0 ? item : { ...item, frame: null },
      )
    const done = createFeeds({ clock }).follow({
      ...source,
      key: 'a',
      readAfter,
      connection: consumer.connection,
      from: 0,
      batch: 3,
    })
    await consumer.has(5)
    await clock.asleep(1)
    expect(consumer.got).toEqual(['2', '4', '6', '8', '10'])
    consumer.connection.end()
    await done
  })

  it('ends the stream and rejects when the items cannot be read', async () => {
    const [clock, source, consumer] = [createManualClock(), createRows(), createConsumer()]
    const readAfter = () => Promise.reject(new Error('database away'))
    await expect(
      createFeeds({ clock }).follow({ ...source, key: 'a', readAfter, connection: consumer.connection, from: 0 }),
    ).rejects.toThrow('away')
    expect(consumer.connection.ended.aborted).toBe(true)
    expect(source.listening).toBe(0)
  })
})

describe('streams that follow the same items', () => {
  it('share one read and the same bytes', async () => {
    const [clock, source] = [createManualClock(), createRows()]
    const feeds = createFeeds({ clock })
    const consumers = Array.from({ length: 50 }, createConsumer)
    const sent = new Set<Buffer>()
    const running = consumers.map(({ connection }) => {
      const { send } = connection
      connection.send = (bytes) => {
        sent.add(bytes)
        return send(bytes)
      }
      return feeds.follow({ ...source, key: 'a', connection, from: 0 })
    })
    await clock.asleep(1)
    const before = source.reads
    source.append()
    await Promise.all(consumers.map((consumer) => consumer.has(1)))
    await clock.asleep(1)
    expect(source.reads - before).toBe(1)
    expect(sent.size).toBe(1)
    expect([source.listening, feeds.size]).toEqual([1, 1])
    for (const { connection } of consumers) connection.end()
    await Promise.all(running)
    expect([source.listening, feeds.size]).toEqual([0, 0])
  })

  it('are kept apart by their key', async () => {
    const [clock, one, other] = [createManualClock(), createRows(), createRows()]
    const feeds = createFeeds({ clock })
    const [a, b] = [createConsumer(), createConsumer()]
    const running = [
      feeds.follow({ ...one, key: 'a', connection: a.connection, from: 0 }),
      feeds.follow({ ...other, key: 'b', connection: b.connection, from: 0 }),
    ]
    await clock.asleep(2)
    one.append()
    await a.has(1)
    expect(b.got).toEqual([])
    for (const { connection } of [a, b]) connection.end()
    await Promise.all(running)
  })

  it('are not held up by one that is behind, which gets the rest by itself when it has caught up', async () => {
    const [clock, source] = [createManualClock(), createRows()]
    const feeds = createFeeds({ clock })
    const [quick, slow] = [createConsumer(), createConsumer()]
    const taken = Promise.withResolvers<void>()
    const running = [
      feeds.follow({ ...source, key: 'a', connection: quick.connection, from: 0 }),
      feeds.follow({ ...source, key: 'a', connection: slow.connection, from: 0 }),
    ]
    await clock.asleep(1)
    slow.connection.behind = true
    slow.connection.drained = () => taken.promise
    for (let n = 0; n < 3; n++) source.append()
    await quick.has(3)
    expect(slow.got).toEqual([])
    slow.connection.behind = false
    taken.resolve()
    await slow.has(3)
    source.append()
    await Promise.all([quick.has(4), slow.has(4)])
    expect([quick.got, slow.got]).toEqual([numbers(1, 4), numbers(1, 4)])
    for (const { connection } of [quick, slow]) connection.end()
    await Promise.all(running)
  })
})
