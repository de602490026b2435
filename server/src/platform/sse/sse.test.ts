import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../manual-clock.test-support.ts'
import { frame } from './frame.ts'
import type { SseConnection, SseOptions } from './sse-connection.ts'
import { createSseHub } from './sse-hub.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

interface Stream {
  readonly connection: SseConnection
  readonly response: ServerResponse
  readonly client: IncomingMessage
  /** Resolves with everything received as soon as it contains `text`. */
  readonly until: (text: string) => Promise<string>
  readonly over: Promise<string>
}

/** A real client on a real socket; `paused` clients read nothing. */
const openStream = async (
  options: Partial<SseOptions> & {
    clock: ManualClock
    hub?: ReturnType<typeof createSseHub>
    paused?: boolean
    credential?: string
  },
): Promise<Stream> => {
  const { clock, hub = createSseHub({ clock, random: () => 0.5 }), paused = false, ...rest } = options
  const opened = Promise.withResolvers<{ connection: SseConnection; response: ServerResponse }>()
  const server = createServer((_request, response) => {
    opened.resolve({ connection: hub.open(response, rest), response })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  closers.push(() => {
    request.destroy()
    server.closeAllConnections()
    server.close()
  })
  const [client] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  const watchers = new Set<() => void>()
  const over = Promise.withResolvers<string>()
  client.setEncoding('utf8')
  client.on('error', () => undefined)
  client.on('close', () => over.resolve(text))
  if (!paused) {
    client.on('data', (chunk: string) => {
      text += chunk
      for (const watcher of watchers) watcher()
    })
  }
  const until = (wanted: string) =>
    new Promise<string>((resolve) => {
      const check = () => {
        if (!text.includes(wanted)) return
        watchers.delete(check)
        resolve(text)
      }
      watchers.add(check)
      check()
    })
  return { ...(await opened.promise), client, until, over: over.promise }
}

describe('frame', () => {
  it('serialises id, event and data as the standard says', () => {
    expect(frame({ id: 'evt_1', event: 'a.b', data: { x: 1 } }).toString()).toBe(
      'id: evt_1\nevent: a.b\ndata: {"x":1}\n\n',
    )
  })

  it('makes one data line of each line of text', () => {
    expect(frame({ data: 'a\nb\r\nc\rd' }).toString()).toBe('data: a\ndata: b\ndata: c\ndata: d\n\n')
  })

  it.each(['a\nb', 'a\rb', 'a\0b'])('refuses the id %j', (id) => {
    expect(() => frame({ id, data: '' })).toThrow(TypeError)
    expect(() => frame({ event: id, data: '' })).toThrow(TypeError)
  })
})

describe('a stream', () => {
  it('begins with headers that keep proxies from buffering it, and a retry hint', async () => {
    const { client, until } = await openStream({ clock: createManualClock(), headers: { 'X-Request-Id': 'req_1' } })
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': 'req_1',
    })
    expect(await until('\n\n')).toBe('retry: 3000\n\n')
  })

  it('joins frames that are sent together into one write, in their order', async () => {
    const { connection, response, until } = await openStream({ clock: createManualClock() })
    await until('retry')
    let writes = 0
    const socket = response.socket
    const written = socket?.bytesWritten ?? 0
    const uncork = response.uncork.bind(response)
    response.uncork = () => {
      writes += 1
      uncork()
    }
    for (let n = 0; n < 20; n++) expect(connection.send(frame({ data: `number ${n}` }))).toBe(true)
    expect(socket?.bytesWritten).toBe(written)
    const text = await until('number 19')
    expect(text.match(/number \d+/g)).toEqual(Array.from({ length: 20 }, (_, n) => `number ${n}`))
    expect(writes).toBe(1)
  })

  it('sends a comment at every heartbeat', async () => {
    const clock = createManualClock()
    const { until } = await openStream({ clock })
    for (let n = 1; n <= 3; n++) {
      await clock.asleep(1)
      clock.advance(15_000)
      await until(': heartbeat\n\n'.repeat(n))
    }
  })

  it('ends within one heartbeat when it is no longer allowed', async () => {
    const clock = createManualClock()
    let allowed = true
    const { over, until } = await openStream({ clock, stillAllowed: async () => allowed })
    await clock.asleep(1)
    clock.advance(15_000)
    await until('heartbeat')
    allowed = false
    await clock.asleep(1)
    clock.advance(15_000)
    expect((await over).match(/heartbeat/g)).toHaveLength(1)
  })

  it('ends when nobody can say whether it is still allowed', async () => {
    const clock = createManualClock()
    const { over } = await openStream({ clock, stillAllowed: () => Promise.reject(new Error('database away')) })
    await clock.asleep(1)
    clock.advance(15_000)
    expect(await over).not.toContain('heartbeat')
  })

  it('disconnects a consumer that takes nothing once its queue is full, and holds no more than that', async () => {
    const { connection, response } = await openStream({
      clock: createManualClock(),
      paused: true,
      maxQueuedBytes: 256 * 1024,
    })
    const bytes = frame({ data: 'x'.repeat(10_000) })
    let accepted = 0
    while (connection.send(bytes)) {
      accepted += 1
      await new Promise(setImmediate)
    }
    expect(connection.ended.aborted).toBe(true)
    expect(response.destroyed).toBe(true)
    expect(accepted).toBeGreaterThan(10)
    expect(connection.send(bytes)).toBe(false)
  })

  it('disconnects a consumer with too many frames waiting', async () => {
    const { connection } = await openStream({ clock: createManualClock(), maxQueuedFrames: 5 })
    const sent = [1, 2, 3, 4, 5, 6].map(() => connection.send(frame({ data: 'x' })))
    expect(sent).toEqual([true, true, true, true, true, false])
  })

  it('disconnects a consumer that is behind at two heartbeats running', async () => {
    const clock = createManualClock()
    const { connection, response } = await openStream({ clock, paused: true, maxQueuedBytes: 64 * 1024 * 1024 })
    const big = Buffer.alloc(16 * 1024 * 1024, 'x')
    connection.send(big)
    const drained = connection.drained()
    expect(response.writableNeedDrain).toBe(true)
    await clock.asleep(1)
    clock.advance(15_000)
    await clock.asleep(1)
    expect(connection.ended.aborted).toBe(false)
    clock.advance(15_000)
    await drained
    expect(connection.ended.aborted).toBe(true)
  })

  it('is over when the client leaves', async () => {
    const { client, connection } = await openStream({ clock: createManualClock() })
    const ended = once(connection.ended, 'abort')
    client.destroy()
    await ended
    expect(connection.send(frame({ data: 'x' }))).toBe(false)
  })

  it('sends what is queued before it ends', async () => {
    const { connection, over } = await openStream({ clock: createManualClock() })
    connection.send(frame({ data: 'last words' }))
    connection.end()
    expect(await over).toContain('data: last words\n\n')
  })
})

describe('the hub', () => {
  it('ends the streams of one credential, and no others', async () => {
    const clock = createManualClock()
    const hub = createSseHub({ clock, random: () => 0.5 })
    const [mine, other, nobody] = [
      await openStream({ clock, hub, credential: 'key_1' }),
      await openStream({ clock, hub, credential: 'key_2' }),
      await openStream({ clock, hub }),
    ]
    hub.endOf('key_1')
    await mine.over
    expect([hub.countOf('key_1'), hub.countOf('key_2'), hub.size]).toEqual([0, 1, 2])
    expect([other, nobody].map(({ connection }) => connection.ended.aborted)).toEqual([false, false])
  })

  it('ends its streams spread over time, each with a hint of its own, and opens no more', async () => {
    const clock = createManualClock()
    const values = [0.1, 0.2, 0.9, 0.8]
    const hub = createSseHub({ clock, random: () => values.shift() ?? 0 })
    const [first, second] = [await openStream({ clock, hub }), await openStream({ clock, hub })]
    expect(hub.size).toBe(2)
    const closed = hub.close({ withinMs: 10_000 })
    const refused = await openStream({ clock, hub: createSseHub({ clock, random: () => 0 }) })
    expect(() => hub.open(refused.response)).toThrow('closing')
    await clock.asleep(5)
    clock.advance(2000)
    expect(await first.over).toContain('retry: 2000\n\n')
    expect(hub.size).toBe(1)
    clock.advance(6000)
    expect(await second.over).toContain('retry: 10000\n\n')
    await closed
    expect(hub.size).toBe(0)
  })
})
