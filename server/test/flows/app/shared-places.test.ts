import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasEngine } from '../../test-support/engines.ts'
import { type LiveClient, openLive } from '../../test-support/live-client.ts'
import { type OtherServer, startOther } from '../../test-support/other-server.ts'
import { startProcess } from '../../test-support/scale-processes.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type OpenStream, openStream } from '../../test-support/sse-client.ts'
import { until } from '../../test-support/until.ts'
import { scheduleSession } from '../../test-support/world.ts'

describe.skipIf(!hasEngine('postgres'))('streams and sockets of two processes are counted together', () => {
  let server: TestServer
  let other: OtherServer
  const open: (OpenStream | LiveClient)[] = []
  beforeAll(async () => {
    server = await startServer({ engine: 'postgres', limits: { streamsPerKey: 3 } })
    other = await startOther(server)
  })
  const rows = async (): Promise<number> =>
    (await server.app.db.reader.get<{ n: number }>('SELECT count(*) AS n FROM open_connections'))?.n ?? 0
  const closeAll = async () => {
    for (const one of open.splice(0)) {
      if ('close' in one) one.close()
      else one.socket.terminate()
    }
    await until(async () => (await rows()) === 0)
  }
  afterEach(closeAll)
  afterAll(async () => {
    await other.stop()
    await server.stop()
  })

  const stream = async (url: string): Promise<number> => {
    const headers = { authorization: `Bearer ${server.orgs[0].sandboxKey}` }
    const opened = await openStream(`${url}/v1/api/events/stream`, headers)
    if (opened.status === 200) open.push(opened)
    return opened.status
  }

  it('lets a key keep so many streams in all, opened one after the other or at once', async () => {
    const urls = [server.url, other.url, server.url, other.url, server.url]
    const statuses: number[] = []
    for (const url of urls) statuses.push(await stream(url))
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    await closeAll()
    const atOnce = await Promise.all([...urls, ...urls].map(stream))
    expect(atOnce.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429, 429, 429, 429, 429, 429])
  })

  it('gives back what a process held that was killed, when it was not heard of for a while', async () => {
    const now = server.clock.now()
    await server.app.db.transact(async (tx) => {
      await tx.run("INSERT INTO server_processes (process_id, seen_at) VALUES ('prc_killed', ?)", [now])
      for (const id of ['a', 'b', 'c'])
        await tx.run(
          `INSERT INTO open_connections (holder, connection_id, process_id, opened_at)
           SELECT 'streams ' || key_id, ?, 'prc_killed', ? FROM api_keys WHERE org_id = ? AND environment = 'sandbox'`,
          [id, now, server.orgs[0].orgId],
        )
    })
    expect(await stream(other.url)).toBe(429)
    server.clock.advance(15_000)
    expect(await stream(other.url)).toBe(200)
    server.clock.advance(60_000)
    await other.app.shared.presence.processAll()
    await server.processAll()
    expect(await rows()).toBe(1)
  })

  it('gives back the streams of a process that was killed with SIGKILL, after 15 seconds and not before', async () => {
    const { databaseUrl, dataDir } = server.app.config
    const killed = await startProcess({ DATABASE_URL: databaseUrl!, DATA_DIR: dataDir })
    try {
      for (let n = 0; n < 3; n++) expect(await stream(`http://127.0.0.1:${killed.port}`)).toBe(200)
    } finally {
      await killed.end('SIGKILL')
    }
    // Broken off, and not closed.
    const ended = await Promise.all(open.splice(0).map((one) => ('ended' in one ? one.ended : Promise.resolve(true))))
    expect(ended).toEqual([false, false, false])
    // It said that it was there by the real time, the last time a moment ago.
    server.clock.advance(Date.now() - server.clock.now())
    expect(await rows()).toBe(3)
    expect(await stream(other.url)).toBe(429)
    server.clock.advance(15_000)
    expect(await stream(other.url)).toBe(200)
    server.clock.advance(60_000)
    await other.app.shared.presence.processAll()
    await server.processAll()
    expect(await rows()).toBe(1)
  })

  it('keeps the two newest sockets of a session, wherever they are', async () => {
    const session = await scheduleSession(server.client(server.orgs[0].sandboxKey))
    const sockets: LiveClient[] = []
    for (const url of [server.url, other.url, server.url, other.url]) {
      // Of the same millisecond, none is the older one.
      server.clock.advance(1)
      const socket = await openLive(url, session.id, { token: session.agent })
      sockets.push(socket)
      open.push(socket)
      await until(async () => (await rows()) === Math.min(2, sockets.length))
    }
    expect((await sockets[0]!.closed).code).toBe(1008)
    expect((await sockets[1]!.closed).code).toBe(1008)
    await until(() => server.app.sockets.size === 1 && other.app.sockets.size === 1)
  })
})
