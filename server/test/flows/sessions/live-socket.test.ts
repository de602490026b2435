import http from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Running, startServer as startProcess } from '../../../src/app/server.ts'
import { revokeCredential } from '../../../src/domains/interviews/sessions/joining/credentials.store.ts'
import type { Reader } from '../../../src/platform/db/types.ts'
import { freshDatabase } from '../../test-support/databases.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { type LiveClient, openLive, refusedLive, socketUrl } from '../../test-support/live-client.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { until } from '../../test-support/until.ts'
import { type LiveSession, liveSession, scheduleSession, type WorldSession } from '../../test-support/world.ts'

for (const engine of everyEngine())
  describe(`the agent's live socket (${engine})`, () => {
    let server: TestServer
    const clients: LiveClient[] = []

    beforeAll(async () => {
      server = await startServer({ engine })
    })
    beforeEach(() => server.clock.advance(60_000))
    afterEach(async () => {
      for (const client of clients) client.socket.terminate()
      await Promise.all(clients.splice(0).map((client) => client.closed))
      await until(() => server.app.sockets.size === 0)
    })
    afterAll(() => server.stop())

    const key = () => server.orgs[0].sandboxKey
    const api = () => server.client(key())
    const scope = () => ({ orgId: server.orgs[0].orgId, environment: 'sandbox' }) as const
    const goLive = (): Promise<LiveSession> => liveSession(server, scope(), key())
    const schedule = (): Promise<WorldSession> => scheduleSession(api())
    const open = async (session: WorldSession, url = server.url): Promise<LiveClient> => {
      const client = await openLive(url, session.id, { token: session.agent })
      clients.push(client)
      return client
    }
    const patch = (session: WorldSession, quality: number) =>
      api().call('sessions.patch', { params: { id: session.id }, body: { capture: { quality } } })
    /** A second process on the same database, with the same clock. */
    const secondProcess = async (work: (second: Running) => Promise<void>): Promise<void> => {
      const { app } = server
      const overrides = { clock: server.clock, log: app.log, answerCheck: 'strict', sharesFolder: true } as const
      const second = await startProcess({ ...app.config, port: 0 }, { overrides, background: false })
      try {
        await work(second)
      } finally {
        await second.stop()
      }
    }

    it('greets with the version of the policy and the time', async () => {
      const session = await schedule()
      await patch(session, 40)
      const client = await open(session)
      const serverTime = new Date(server.clock.now()).toISOString()
      expect(await client.seen(1)).toEqual([{ type: 'hello', policyVersion: 2, serverTime }])
    })

    it('tells each agent of a change of its own policy, at once, and of no other', async () => {
      const [ours, other] = [await schedule(), await schedule()]
      const [client, quiet] = [await open(ours), await open(other)]
      await patch(ours, 41)
      await patch(ours, 42)
      await until(() => client.messages.at(-1)?.type === 'config_changed')
      // Two changes in a row may be told as one: the agent reads the config anyway.
      await until(() => (client.messages.at(-1) as { policyVersion?: number }).policyVersion === 3)
      await patch(ours, 42)
      await patch(other, 50)
      expect((await quiet.seen(2)).slice(1)).toEqual([{ type: 'config_changed', policyVersion: 2 }])
      expect((client.messages.at(-1) as { policyVersion?: number }).policyVersion).toBe(3)
    })

    it('tells of a change that another process made', async () => {
      const session = await schedule()
      const client = await open(session)
      await client.seen(1)
      await secondProcess(async (second) => {
        const headers = { authorization: `Bearer ${key()}`, 'content-type': 'application/json' }
        const body = JSON.stringify({ capture: { quality: 43 } })
        const answer = await fetch(`${second.listening.url}/v1/api/sessions/${session.id}`, {
          method: 'PATCH',
          headers,
          body,
        })
        expect(answer.status).toBe(200)
        // SQLite wakes nobody in another process: there it is the poll that finds it.
        if (engine === 'sqlite') server.clock.advance(5000)
        expect((await client.seen(2))[1]).toEqual({ type: 'config_changed', policyVersion: 2 })
      })
    })

    it('finds a change by its poll when the wake-up was lost', async () => {
      const session = await schedule()
      const client = await open(session)
      await client.seen(1)
      const { id } = session
      await server.app.db.transact((tx) => tx.run('UPDATE sessions SET policy_version = 7 WHERE session_id = ?', [id]))
      // Its poll and the round of pings.
      await server.clock.asleep(2)
      server.clock.advance(5000)
      expect((await client.seen(2))[1]).toEqual({ type: 'config_changed', policyVersion: 7 })
    })

    it('tells that a member looks on, for what is left of this minute and the next, once a minute', async () => {
      const session = await goLive()
      const client = await open(session)
      await client.seen(1)
      const headers = await portalCookie(server)
      for (let looks = 0; looks < 2; looks += 1)
        expect((await fetch(`${server.url}/v1/sessions/${session.id}/live`, { headers })).status).toBe(200)
      await server.clock.asleep(2)
      server.clock.advance(5000)
      const [, watched] = await client.seen(2)
      expect(watched).toEqual({ type: 'watched', seconds: expect.any(Number) })
      expect((watched as { seconds: number }).seconds).toBeGreaterThanOrEqual(55)
      await server.clock.asleep(2)
      server.clock.advance(5000)
      await patch(session, 44)
      expect((await client.seen(3))[2]).toMatchObject({ type: 'config_changed' })
    })

    it('tells once that the session has ended, whoever ended it, and also to who comes later', async () => {
      const session = await goLive()
      const client = await open(session)
      await api().call('sessions.end', { params: { id: session.id } })
      expect((await client.seen(2))[1]).toEqual({ type: 'session_ended' })
      await api().call('sessions.end', { params: { id: session.id } })
      const late = await open(session)
      expect(await late.seen(2)).toMatchObject([{ type: 'hello' }, { type: 'session_ended' }])
      expect(client.messages).toHaveLength(2)
    })

    it('closes with 4401 once the evidence is erased, and is not opened any more', async () => {
      const session = await goLive()
      await api().call('sessions.end', { params: { id: session.id } })
      const client = await open(session)
      await api().call('sessions.erase', { params: { id: session.id } })
      expect((await client.closed).code).toBe(4401)
      const refusal = await refusedLive(socketUrl(server.url, session.id), { token: session.agent })
      expect([refusal.status, refusal.body.error.code]).toEqual([409, 'conflict'])
    })

    it('closes with 4401 when the token is revoked, and when it runs out a day after the end', async () => {
      const revoked = await schedule()
      const client = await open(revoked)
      await client.seen(1)
      const { app } = server
      const row = await app.db.reader.get<{ id: string }>(
        "SELECT credential_id AS id FROM session_credentials WHERE session_id = ? AND kind = 'agent'",
        [revoked.id],
      )
      await app.db.transact((tx) => revokeCredential(tx, scope(), row?.id ?? '', app.clock.now()))
      await server.clock.asleep(2)
      server.clock.advance(5000)
      expect((await client.closed).code).toBe(4401)

      const ended = await goLive()
      await api().call('sessions.end', { params: { id: ended.id } })
      const late = await open(ended)
      await late.seen(2)
      await server.clock.asleep(2)
      server.clock.advance(86_400_000)
      expect((await late.closed).code).toBe(4401)
    })

    it('closes with 1008 when the agent says something', async () => {
      const client = await open(await schedule())
      client.socket.send('hello')
      expect((await client.closed).code).toBe(1008)
    })

    it('lets a third socket of a session take the place of the first, and leaves other sessions alone', async () => {
      const session = await schedule()
      const other = await open(await schedule())
      await other.seen(1)
      const [first, second, third] = [await open(session), await open(session), await open(session)]
      expect((await first.closed).code).toBe(1008)
      await patch(session, 44)
      for (const client of [second, third]) expect((await client.seen(2))[1]).toMatchObject({ type: 'config_changed' })
      expect(other.messages).toHaveLength(1)
      expect(server.app.sockets.size).toBe(3)
      expect((await server.app.metrics.render()).text).toContain('live_sockets_open 3')
    })

    it('keeps the agent connected in the live snapshot for as long as its socket answers, in every process', async () => {
      const session = await schedule()
      const headers = await portalCookie(server)
      const agentAt = async (url: string) => {
        const answer = await fetch(`${url}/v1/sessions/${session.id}/live`, { headers })
        return ((await answer.json()) as { data: { agent: { connected: boolean; lastSeenAt: string | null } } }).data
          .agent
      }
      const now = () => new Date(server.clock.now()).toISOString()
      expect(await agentAt(server.url)).toEqual({ connected: false, lastSeenAt: null })
      const client = await open(session)
      await until(async () => (await agentAt(server.url)).lastSeenAt === now())
      await secondProcess(async (second) => {
        for (let round = 0; round < 5; round++) {
          await server.clock.asleep(2)
          const pinged = new Promise((resolve) => client.socket.once('ping', resolve))
          server.clock.advance(15_000)
          await pinged
          const seenAt = Date.parse((await agentAt(second.listening.url)).lastSeenAt ?? '')
          expect(server.clock.now() - seenAt).toBeLessThanOrEqual(30_000)
          expect((await agentAt(second.listening.url)).connected).toBe(true)
        }
        client.socket.terminate()
        await until(() => server.app.sockets.size === 0)
        server.clock.advance(45_001)
        expect((await agentAt(second.listening.url)).connected).toBe(false)
      })
    })

    describe('an upgrade', () => {
      it('is unauthorized without a credential, with an unknown one, and with one of another kind', async () => {
        const session = await goLive()
        for (const token of [undefined, 'garbage', `sst_${'x'.repeat(32)}`, key(), session.companion, session.room]) {
          const refusal = await refusedLive(socketUrl(server.url, session.id), { token })
          expect(refusal.status, token).toBe(401)
          expect(refusal.body).toMatchObject({ success: false, error: { code: 'unauthorized' } })
          expect(refusal.headers['x-request-id']).toBe(refusal.body.requestId)
          expect(refusal.headers['www-authenticate']).toBe('Bearer')
          expect(refusal.headers['ratelimit-limit']).toBeDefined()
          expect(refusal.headers['x-service-api-version']).toBe('v1')
        }
        const cookie = await portalCookie(server)
        expect((await refusedLive(socketUrl(server.url, session.id), { headers: cookie })).status).toBe(401)
      })

      it('is not found for another session, another organisation, and any other path', async () => {
        const [ours, neighbour] = [await schedule(), await schedule()]
        const foreign = await scheduleSession(server.client(server.orgs[1].sandboxKey))
        const token = ours.agent
        const wrong = ['ses_nobody', '%', '..', 'é'].map((id) => socketUrl(server.url, id))
        const other = [neighbour.id, foreign.id].map((id) => socketUrl(server.url, id))
        const paths = ['/v1/health', '/', '/v1/api/events/stream'].map(
          (path) => server.url.replace('http', 'ws') + path,
        )
        for (const address of [...wrong, ...other, ...paths]) {
          const refusal = await refusedLive(address, { token })
          expect([refusal.status, refusal.body.error.code], address).toEqual([404, 'not_found'])
        }
      })

      it('is forbidden from a page of another origin, and allowed from a page of this service', async () => {
        const session = await schedule()
        const ask = { token: session.agent, headers: { origin: 'https://elsewhere.example' } }
        const refusal = await refusedLive(socketUrl(server.url, session.id), ask)
        expect([refusal.status, refusal.body.error.code]).toEqual([403, 'forbidden'])
        const headers = { origin: new URL(server.app.config.baseUrl).origin }
        const client = await openLive(server.url, session.id, { token: session.agent, headers })
        clients.push(client)
        expect(await client.seen(1)).toMatchObject([{ type: 'hello' }])
      })

      it('is refused in the envelope when it is no handshake', async () => {
        const session = await schedule()
        const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
          const request = http.get(socketUrl(server.url, session.id).replace('ws', 'http'), {
            headers: {
              authorization: `Bearer ${session.agent}`,
              connection: 'Upgrade',
              upgrade: 'websocket',
              'sec-websocket-version': '13',
            },
          })
          request.once('error', reject)
          request.once('response', (response) => {
            let text = ''
            response.on('data', (chunk: Buffer) => {
              text += chunk.toString()
            })
            response.once('end', () => resolve({ status: response.statusCode, text }))
          })
        })
        expect(answer.status).toBe(400)
        expect(JSON.parse(answer.text)).toMatchObject({ success: false, error: { code: 'invalid_request' } })
      })

      it('is not what a plain request asks for, and another protocol is not taken', async () => {
        const session = await schedule()
        const headers = { authorization: `Bearer ${session.agent}` }
        const plain = await fetch(socketUrl(server.url, session.id).replace('ws', 'http'), { headers })
        expect(plain.status).toBe(404)
        const answered = await new Promise<number | undefined>((resolve, reject) => {
          const request = http.get(`${server.url}/v1/health`, {
            headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' },
          })
          request.once('error', reject)
          request.once('response', (response) => {
            response.resume()
            response.once('end', () => resolve(response.statusCode))
          })
        })
        expect(answered).toBe(200)
      })
    })
  })

describe('ceilings of live sockets', () => {
  it('are those of every request: wrong secrets, and openings of one credential', async () => {
    const server = await startServer({ limits: { failuresPerAddress: 2, perCredential: 3 } })
    try {
      const { id, agent } = await scheduleSession(server.client(server.orgs[0].sandboxKey))
      const address = socketUrl(server.url, id)
      const opened: LiveClient[] = []
      for (let n = 0; n < 3; n++) opened.push(await openLive(server.url, id, { token: agent }))
      const many = await refusedLive(address, { token: agent })
      expect([many.status, many.body.error.code, Number(many.headers['retry-after']) > 0]).toEqual([
        429,
        'rate_limited',
        true,
      ])
      for (let n = 0; n < 2; n++) expect((await refusedLive(address, { token: `sst_guess${n}` })).status).toBe(401)
      expect((await refusedLive(address, { token: 'sst_guess' })).status).toBe(429)
    } finally {
      await server.stop()
    }
  })
})

describe('a server that stops', () => {
  it('closes its live sockets with 1012, and does not wait for them', async () => {
    const server = await startServer()
    const { id, agent } = await scheduleSession(server.client(server.orgs[0].sandboxKey))
    const [client, other] = [
      await openLive(server.url, id, { token: agent }),
      await openLive(server.url, id, { token: agent }),
    ]
    await server.restart()
    for (const { closed } of [client, other])
      expect(await closed).toEqual({ code: 1012, reason: 'the server restarts' })
    const again = await openLive(server.url, id, { token: agent })
    expect(await again.seen(1)).toMatchObject([{ type: 'hello', policyVersion: 1 }])
    await server.stop()
    expect((await again.closed).code).toBe(1012)
  })
})

describe('a database that fails for a while', () => {
  it('costs no agent its socket, and what happened meanwhile is told', async () => {
    const database = await freshDatabase('sqlite')
    const db = database.open()
    let failing = false
    const failed: string[] = []
    const all: Reader['all'] = (sql, params) => {
      if (!failing || typeof sql !== 'string' || !sql.includes('IN (VALUES')) return db.reader.all(sql, params)
      failed.push(sql)
      return Promise.reject(new Error('the database is away'))
    }
    const flaky = new Proxy(db, {
      get: (target, name) => {
        if (name === 'reader') return { all, get: (sql: string, params: []) => target.reader.get(sql, params) }
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const server = await startServer({ overrides: { db: flaky } })
    try {
      const api = server.client(server.orgs[0].sandboxKey)
      const { id, agent } = await scheduleSession(api)
      const client = await openLive(server.url, id, { token: agent })
      await client.seen(1)
      await server.clock.asleep(2)
      failing = true
      await api.call('sessions.patch', { params: { id }, body: { capture: { quality: 45 } } })
      await until(() => failed.length === 1)
      failing = false
      await server.clock.asleep(2)
      server.clock.advance(5000)
      expect((await client.seen(2))[1]).toEqual({ type: 'config_changed', policyVersion: 2 })
      expect(server.logLines.join('')).toContain('live sockets could not be looked after')
    } finally {
      await server.stop()
      await database.drop()
    }
  })
})
