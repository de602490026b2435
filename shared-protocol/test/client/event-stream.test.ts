import { describe, expect, it } from 'vitest'
import {
  type ClientOptions,
  createIntegrityClient,
  type EventGap,
  EventGapError,
  type IntegrityEvent,
  type StreamOptions,
} from '../../client/src/index.ts'
import { createTestRuntime, ok, refused, type SentRequest } from './test-runtime.ts'

const envelope = (id: string, type = 'session.ended') =>
  ({ id, type, createdAt: 'x', apiVersion: 'v1', catalogVersion: '1', data: {} }) as const
const frame = (id: string, type?: string) => {
  const event = envelope(id, type)
  return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
const gapFrame = (requested: string, oldest: string | null) =>
  `event: gap\ndata: ${JSON.stringify({ requested, oldest })}\n\n`

/** One connection: what it sends, then `end` closes it, `break` cuts it, `hang` says no more. */
type Connection = { readonly frames: readonly string[]; readonly last: 'end' | 'break' | 'hang' } | Response | Error

/** A service whose log and whose connections a test prepares; a connection too many hangs. */
const service = (connections: Connection[], log: string[] = []) => {
  const streams: SentRequest[] = []
  const lists: URL[] = []
  const bodyOf = ({ frames, last }: Extract<Connection, { last: string }>, signal: AbortSignal) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason))
        for (const text of frames) controller.enqueue(new TextEncoder().encode(text))
        if (last === 'end') controller.close()
      },
      pull(controller) {
        if (last === 'break') controller.error(new TypeError('terminated'))
        return new Promise(() => undefined)
      },
    })
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const address = new URL(url)
    if (address.pathname === '/v1/api/events') {
      lists.push(address)
      const [limit, place] = [Number(address.searchParams.get('limit')), Number(address.searchParams.get('cursor'))]
      const newest = [...log].reverse()
      const items = newest.slice(place, place + limit).map((id) => envelope(id))
      const nextCursor = place + limit < log.length ? String(place + limit) : null
      return ok({ items, total: log.length, limit, offset: place, nextCursor })
    }
    streams.push({ url, method: 'GET', headers: new Headers(init.headers), body: undefined })
    const next = connections[streams.length - 1] ?? { frames: [], last: 'hang' }
    if (next instanceof Error) throw next
    if (next instanceof Response) return next
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
    return new Response(bodyOf(next, init.signal as AbortSignal), { headers })
  }
  const lastIds = () => streams.map(({ headers }) => headers.get('last-event-id'))
  return { fetch, streams, lists, lastIds, log }
}

const run = (source: ReturnType<typeof service>, options: Partial<ClientOptions> = {}) => {
  const runtime = createTestRuntime()
  const client = createIntegrityClient({
    baseUrl: 'https://service.test',
    apiKey: 'k',
    fetch: source.fetch,
    runtime,
    ...options,
  })
  const take = async (count: number, stream: StreamOptions = {}): Promise<string[]> => {
    const ids: string[] = []
    if (count === 0) return ids
    for await (const event of client.streamEvents(stream)) {
      ids.push(event.id)
      if (ids.length === count) break
    }
    return ids
  }
  return { client, runtime, take }
}

describe('an event stream', () => {
  it('gives events with their data and asks with its filters and key', async () => {
    const source = service([{ frames: ['retry: 10\n\n', frame('evt_1')], last: 'hang' }])
    const { client } = run(source)
    const seen: IntegrityEvent[] = []
    const options = { types: ['session.ended', 'session.started'], sessionId: 'ses_1', lastEventId: 'evt_0' } as const
    for await (const event of client.streamEvents(options)) {
      seen.push(event)
      break
    }
    expect(seen).toEqual([envelope('evt_1')])
    expect(source.streams[0]?.url).toBe(
      'https://service.test/v1/api/events/stream?types=session.ended%2Csession.started&sessionId=ses_1',
    )
    expect(source.streams[0]?.headers.get('authorization')).toBe('Bearer k')
    expect(source.streams[0]?.headers.get('last-event-id')).toBe('evt_0')
  })

  it('resumes after the last event whether the server ended or the network broke, and gives none twice', async () => {
    const source = service([
      { frames: [frame('evt_1'), frame('evt_2')], last: 'end' },
      new TypeError('refused'),
      { frames: [frame('evt_2'), frame('evt_3'), frame('evt_3')], last: 'break' },
      refused(503, 'service_unavailable'),
      { frames: [frame('evt_4')], last: 'hang' },
    ])
    const { take } = run(source)
    expect(await take(4, { lastEventId: 'evt_0' })).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4'])
    expect(source.lastIds()).toEqual(['evt_0', 'evt_2', 'evt_2', 'evt_3', 'evt_3'])
  })

  it.each(['end', 'break'] as const)(
    'gives nothing of an event that is cut off by the %s, and all of it later',
    async (last) => {
      const whole = frame('evt_2')
      for (const at of [1, 10, whole.length - 30, whole.length - 1]) {
        const source = service([
          { frames: [frame('evt_1'), whole.slice(0, at)], last },
          { frames: [whole, frame('evt_3')], last: 'hang' },
        ])
        const { take } = run(source)
        expect(await take(3, { lastEventId: 'evt_0' })).toEqual(['evt_1', 'evt_2', 'evt_3'])
        expect(source.lastIds()).toEqual(['evt_0', 'evt_1'])
      }
    },
  )

  it('begins after the newest event of its filters, so that nothing is lost before the first one comes', async () => {
    const source = service(
      [
        { frames: [], last: 'break' },
        { frames: [frame('evt_8')], last: 'hang' },
      ],
      ['evt_6', 'evt_7'],
    )
    const { take } = run(source)
    expect(await take(1, { sessionId: 'ses_1' })).toEqual(['evt_8'])
    expect(source.lastIds()).toEqual(['evt_7', 'evt_7'])
    expect(source.lists[0]?.search).toBe('?sessionId=ses_1&limit=1')
  })

  it('of an empty log reads the log once it is connected', async () => {
    const source = service([{ frames: [frame('evt_2')], last: 'hang' }])
    const fetch: typeof source.fetch = (url, init) => {
      const answer = source.fetch(url, init)
      // Published between the first look and the connection.
      if (source.lists.length === 1 && source.log.length === 0) source.log.push('evt_1', 'evt_2')
      return answer
    }
    const { take } = run(source, { fetch })
    expect(await take(2)).toEqual(['evt_1', 'evt_2'])
    expect(source.lastIds()).toEqual([null])
  })

  it('waits as the server asks, longer after each failure, and anew after an event', async () => {
    const failing = { frames: [], last: 'end' } as const
    const source = service([
      { frames: ['retry: 100\n\n', frame('evt_1')], last: 'end' },
      failing,
      failing,
      failing,
      { frames: [frame('evt_2')], last: 'end' },
      { frames: [frame('evt_3')], last: 'hang' },
    ])
    const { take, runtime } = run(source)
    const told: number[] = []
    await take(3, { lastEventId: 'evt_0', onReconnect: ({ failures }) => told.push(failures) })
    // Half the hint, and at random (here 0.5) up to the hint times 1, 2, 4, 8.
    expect(runtime.waits).toEqual([100, 150, 250, 450, 100])
    expect(told).toEqual([1, 2, 3, 4, 1])
  })

  it('waits at least Retry-After, and never more than about half a minute of its own', async () => {
    const source = service([
      refused(429, 'rate_limited', { 'retry-after': '60' }),
      ...Array.from({ length: 20 }, () => new TypeError('refused')),
      { frames: [frame('evt_1')], last: 'hang' },
    ])
    const { take, runtime } = run(source)
    await take(1, { lastEventId: 'evt_0' })
    expect(runtime.waits[0]).toBeGreaterThanOrEqual(60_000)
    expect(Math.max(...runtime.waits.slice(1))).toBe(16_500)
    expect(Math.min(...runtime.waits)).toBeGreaterThan(1000)
  })

  it.each([400, 401, 403, 404])('ends with the refusal after %i', async (status) => {
    const source = service([refused(status, 'unauthorized')])
    await expect(run(source).take(1, { lastEventId: 'evt_0' })).rejects.toMatchObject({ status, requestId: 'req_1' })
    expect(source.streams).toHaveLength(1)
  })

  it('ends when it is answered by something else', async () => {
    const source = service([new Response('<html>', { headers: { 'content-type': 'text/html' } })])
    await expect(run(source).take(1, { lastEventId: 'evt_0' })).rejects.toMatchObject({ code: 'not_the_service' })
  })

  it('connects again when nothing came for 45 s, not even a heartbeat', async () => {
    const source = service([
      { frames: [frame('evt_1'), ': heartbeat\n\n'], last: 'hang' },
      { frames: [frame('evt_2')], last: 'hang' },
    ])
    const { client, runtime } = run(source)
    const causes: unknown[] = []
    const ids: string[] = []
    for await (const { id } of client.streamEvents({
      lastEventId: 'evt_0',
      onReconnect: ({ cause }) => causes.push(cause),
    })) {
      ids.push(id)
      if (ids.length === 2) break
      // The second read finds the heartbeat, the third one silence.
      setImmediate(function silence() {
        runtime.fire(45_000)
        if (source.streams.length < 2) setImmediate(silence)
      })
    }
    expect(ids).toEqual(['evt_1', 'evt_2'])
    expect(causes).toMatchObject([{ code: 'timeout' }])
    expect(runtime.guarding).toBe(0)
  })

  it('connects again when a connection is never answered', async () => {
    const source = service([{ frames: [frame('evt_1')], last: 'hang' }])
    let first = true
    const fetch: typeof source.fetch = (url, init) => {
      if (!first) return source.fetch(url, init)
      first = false
      return new Promise((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        setImmediate(() => runtime.fire(30_000))
      })
    }
    const { take, runtime } = run(source, { fetch })
    expect(await take(1, { lastEventId: 'evt_0' })).toEqual(['evt_1'])
  })

  it('ends without an error as soon as it is aborted, and leaves nothing running', async () => {
    const source = service([{ frames: [frame('evt_1')], last: 'hang' }])
    const { client, runtime } = run(source)
    const stopping = new AbortController()
    const ids: string[] = []
    for await (const { id } of client.streamEvents({ lastEventId: 'evt_0', signal: stopping.signal })) {
      ids.push(id)
      setImmediate(() => stopping.abort())
    }
    expect(ids).toEqual(['evt_1'])
    expect(runtime.guarding).toBe(0)
    for await (const _ of client.streamEvents({ signal: stopping.signal })) throw new Error('it had ended')
    expect(source.streams).toHaveLength(1)
  })

  it('refuses an event that it cannot read, instead of asking for it for ever', async () => {
    const source = service([{ frames: ['id: evt_1\ndata: {\n\n'], last: 'hang' }])
    await expect(run(source).take(1, { lastEventId: 'evt_0' })).rejects.toThrow(/could not be read/)
  })
})

describe('a gap', () => {
  const log = Array.from({ length: 250 }, (_, n) => `evt_${n}`)
  const behind = () =>
    service([{ frames: [gapFrame('evt_10', 'evt_50'), frame('evt_249'), frame('evt_250')], last: 'hang' }], [...log])

  it('is told, closed from the log in order, and followed by what is live, each once', async () => {
    const gaps: EventGap[] = []
    const ids = await run(behind()).take(240, { lastEventId: 'evt_10', onGap: (gap) => gaps.push(gap) })
    expect(gaps).toEqual([{ requested: 'evt_10', oldest: 'evt_50', recovered: 239, complete: true }])
    expect(ids).toEqual([...log.slice(11), 'evt_250'])
  })

  it('is closed without being told of it too', async () => {
    expect(await run(behind()).take(240, { lastEventId: 'evt_10' })).toHaveLength(240)
  })

  it('is only told when reconciling is left to the caller', async () => {
    const gaps: EventGap[] = []
    const options = { lastEventId: 'evt_10', reconcile: false, onGap: (gap: EventGap) => gaps.push(gap) }
    expect(await run(behind()).take(2, options)).toEqual(['evt_249', 'evt_250'])
    expect(gaps).toMatchObject([{ recovered: 0, complete: false }])
  })

  it('that cannot be closed is never passed over in silence', async () => {
    const unknown = () => service([{ frames: [gapFrame('evt_gone', null), frame('evt_1')], last: 'hang' }], ['evt_0'])
    const error = await run(unknown())
      .take(1, { lastEventId: 'evt_gone' })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(EventGapError)
    expect(error).toMatchObject({ gap: { requested: 'evt_gone', oldest: null, complete: false } })
    const gaps: EventGap[] = []
    expect(await run(unknown()).take(1, { lastEventId: 'evt_gone', onGap: (gap) => gaps.push(gap) })).toEqual(['evt_1'])
    expect(gaps).toHaveLength(1)
  })
})
