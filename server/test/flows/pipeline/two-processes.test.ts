import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, startServer as start } from '../../../src/app/server.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { beginFor, liveSession, newClientId, newPicture, sha256, stillFor } from '../../test-support/world.ts'

/** Two servers on one database, as behind a load balancer. Neither knows what the other is doing but by what is stored. */
for (const engine of everyEngine())
  describe(`the same request at two servers (${engine})`, () => {
    let server: TestServer
    let other: Running
    beforeAll(async () => {
      server = await startServer({ engine })
      const { config, log } = server.app
      const overrides = { clock: server.clock, log, answerCheck: 'strict', sharesFolder: true } as const
      other = await start({ ...config, port: 0 }, { overrides, background: false })
    })
    afterAll(async () => {
      await other.stop()
      await server.stop()
    })

    const post = async (url: string, path: string, headers: Record<string, string>, body: object) => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), text: await answer.text() }
    }
    /** One request to each server, at the same time. */
    const atBoth = (path: string, headers: Record<string, string>, body: object) =>
      Promise.all([server.url, other.listening.url].map((url) => post(url, path, headers, body)))
    const count = async (sql: string, values: unknown[]) =>
      Number((await server.app.db.reader.get<{ n: number }>(sql, values as never))?.n)

    it('is done once under one key, and the other gets the first one’s answer', async () => {
      const { orgId, sandboxKey } = server.orgs[0]
      for (let n = 0; n < 10; n++) {
        const headers = { authorization: `Bearer ${sandboxKey}`, 'idempotency-key': `both-${n}` }
        const answers = await atBoth('/v1/api/sessions', headers, { externalId: `both-${n}` })
        expect(answers.map(({ status }) => status)).toEqual([201, 201])
        expect(answers.filter(({ replayed }) => replayed === 'true')).toHaveLength(1)
        expect(answers[0]?.text).toBe(answers[1]?.text)
        const sql = 'SELECT count(*) AS n FROM sessions WHERE org_id = ? AND external_id = ?'
        expect(await count(sql, [orgId, `both-${n}`])).toBe(1)
      }
    })

    const atOnce = async (calls: readonly Promise<{ status: number }>[]): Promise<number[]> => {
      const outcomes = await Promise.all(calls.map((call) => call.catch((error: { status: number }) => error)))
      return outcomes.map(({ status }) => status).toSorted((a, b) => a - b)
    }
    const agentsOf = async () => {
      const { orgId, sandboxKey } = server.orgs[0]
      const session = await liveSession(server, { orgId, environment: 'sandbox' }, sandboxKey)
      const clients = [server.url, other.listening.url].map((baseUrl) =>
        createClient({ baseUrl, token: session.agent }),
      )
      return { session, clients }
    }

    it('keeps one of two pictures that come under one clientId', async () => {
      const { session, clients } = await agentsOf()
      for (let n = 0; n < 10; n++) {
        const clientId = newClientId()
        const pictures = [await newPicture(), await newPicture()]
        const calls = pictures.map((bytes, index) =>
          clients[index]!.call('agent.screenshots.upload', {
            params: { id: session.id },
            raw: { bytes, contentType: 'image/webp', meta: { ...stillFor(server, bytes), clientId } },
          }),
        )
        expect(await atOnce(calls)).toEqual([201, 409])
        const sql = 'SELECT count(*) AS n FROM evidence WHERE session_id = ? AND client_id = ?'
        expect(await count(sql, [session.id, clientId])).toBe(1)
      }
    })

    it('keeps one of two contents that come for one part', async () => {
      const { session, clients } = await agentsOf()
      for (let n = 0; n < 10; n++) {
        const sounds = [Buffer.from(`OggS${n} one`), Buffer.from(`OggS${n} two`)]
        const body = beginFor(server, sounds[0]!)
        const { data } = await clients[0]!.call('agent.systemAudio.begin', { params: { id: session.id }, body })
        if (!('uploadId' in data)) throw new Error('it is here already')
        const params = { uploadId: data.uploadId }
        const calls = sounds.map((bytes, index) =>
          clients[index]!.call('agent.uploads.part', {
            params,
            body: { index: 0, sha256: sha256(bytes), data: bytes.toString('base64') },
          }),
        )
        expect(await atOnce(calls)).toEqual([200, 409])
      }
    })

    it('redeems a join code at one of them only', async () => {
      const api = server.client(server.orgs[0].sandboxKey)
      for (let n = 0; n < 10; n++) {
        const { data: session } = await api.call('sessions.create', { body: {} })
        const { data: ticket } = await api.call('sessions.joinLinks.create', {
          params: { id: session.id },
          body: { role: 'candidate' },
        })
        const answers = await atBoth('/v1/sessions/join', {}, { joinCode: ticket.joinCode })
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        expect(answers.filter(({ status }) => status === 404)).toHaveLength(1)
        const sql = 'SELECT count(*) AS n FROM session_credentials WHERE org_id = ? AND session_id = ?'
        expect(await count(sql, [server.orgs[0].orgId, session.id])).toBe(2)
      }
    })
  })
