import { type EndpointId, obeysKey } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { casesInTurn, everyEngine } from '../test-support/engines.ts'
import { type Example, makeExample, specOf, withJson } from '../test-support/examples.ts'
import { failureOf, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, liveSession, type World } from '../test-support/world.ts'
import { allIds, auditRows, eventsSince, expectHouseRules } from './common.ts'

/** Bytes are too many to be remembered. */
const remembered = (id: EndpointId): boolean => obeysKey(specOf(id)) && specOf(id).kind !== 'bytes'
const writes = allIds.filter(remembered)

let keys = 0
const newKey = (): string => {
  keys += 1
  return `key-${keys}`
}
const withKey = (example: Example, key = newKey()): Example => ({
  ...example,
  headers: { ...example.headers, 'idempotency-key': key },
})

for (const engine of everyEngine())
  describe(`an Idempotency-Key (${engine})`, () => {
    let server: TestServer
    let world: World

    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
    })
    afterAll(() => server.stop())

    const effects = async () => ({ audit: await auditRows(world), events: (await eventsSince(world, 0)).seq })
    const grown = async (before: { audit: number; events: number }) => {
      const after = await effects()
      return { audit: after.audit - before.audit, events: after.events - before.events }
    }

    for (const id of casesInTurn(engine, writes)) {
      it(`${id}: a repeat answers the same bytes, is marked as replayed, and has no effect`, async () => {
        const request = withKey(await makeExample(world, id))
        const first = await send(server.url, specOf(id), request)
        expect(specOf(id).success as readonly number[], first.text).toContain(first.status)
        expect(first.headers.get('idempotency-replayed')).toBeNull()
        const before = await effects()
        const again = await send(server.url, specOf(id), request)
        expect({ status: again.status, text: again.text }).toEqual({ status: first.status, text: first.text })
        expect(again.headers.get('idempotency-replayed')).toBe('true')
        expectHouseRules(specOf(id), again)
        expect(await grown(before)).toEqual({ audit: 0, events: 0 })
      })

      it(`${id}: 20 at once have the effect of one`, async () => {
        const lone = await makeExample(world, id)
        const start = await effects()
        await send(server.url, specOf(id), lone)
        const ofOne = await grown(start)
        const request = withKey(await makeExample(world, id))
        const before = await effects()
        const answers = await Promise.all(Array.from({ length: 20 }, () => send(server.url, specOf(id), request)))
        expect(await grown(before)).toEqual(ofOne)
        const done = answers.filter((answer) => answer.status !== 409)
        const first = done.filter((answer) => answer.headers.get('idempotency-replayed') === null)
        expect(first.length).toBe(1)
        expect(specOf(id).success as readonly number[]).toContain(first[0]?.status)
        for (const answer of done) expect(answer.text).toBe(first[0]?.text)
        for (const answer of answers.filter((candidate) => candidate.status === 409)) {
          expect(failureOf(answer).error.code).toBe('conflict')
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        }
        const later = await send(server.url, specOf(id), request)
        expect(later.text).toBe(first[0]?.text)
      })
    }

    /** What was said to another body, of each endpoint: examples with an empty body have none. */
    const told: string[] = []
    for (const id of casesInTurn(engine, writes).filter((candidate) => specOf(candidate).body))
      it(`${id}: another body under the same key is refused and has no effect`, async () => {
        const example = await makeExample(world, id)
        const request = withKey(example)
        const first = await send(server.url, specOf(id), request)
        const before = await effects()
        // A body that the endpoint would refuse in any case says nothing of the key.
        let code = 'invalid_request'
        for (const json of othersOf(example.json)) {
          const other = await send(server.url, specOf(id), { ...request, ...pick(withJson(request, json)) })
          expectHouseRules(specOf(id), other)
          code = failureOf(other).error.code
          if (code !== 'invalid_request') break
        }
        expect(['idempotency_key_reuse', 'invalid_request']).toContain(code)
        told.push(code)
        expect(await grown(before)).toEqual({ audit: 0, events: 0 })
        const again = await send(server.url, specOf(id), request)
        expect(again.text).toBe(first.text)
      })

    it('another body was one that the endpoint takes, nearly everywhere', () => {
      const reused = told.filter((code) => code === 'idempotency_key_reuse').length
      expect(told.length).toBeGreaterThan(0)
      // A quarter of them may be those with an empty body.
      if (casesInTurn(engine, writes).length === writes.length) {
        expect(told.length).toBeGreaterThan(20)
        expect(reused).toBeGreaterThan(told.length * 0.7)
      }
    })

    it('belongs to its credential, its endpoint and its path: elsewhere it is another key', async () => {
      const key = newKey()
      const create = withKey(await makeExample(world, 'sessions.create'), key)
      const first = await send(server.url, specOf('sessions.create'), create)
      const live = { ...create, headers: { ...create.headers, authorization: `Bearer ${server.orgs[0].liveKey}` } }
      const other = await send(server.url, specOf('sessions.create'), live)
      expect(other.status).toBe(201)
      expect(other.headers.get('idempotency-replayed')).toBeNull()
      expect(other.text).not.toBe(first.text)
      const webhook = withKey(await makeExample(world, 'webhooks.create'), key)
      expect((await send(server.url, specOf('webhooks.create'), webhook)).status).toBe(201)
      const end = withKey(await makeExample(world, 'sessions.end'), key)
      expect((await send(server.url, specOf('sessions.end'), end)).status).toBe(200)
      const elsewhere = withKey(await makeExample(world, 'sessions.end'), key)
      expect((await send(server.url, specOf('sessions.end'), elsewhere)).status).toBe(422)
    })

    it('is remembered across a restart, and forgotten after 24 hours', async () => {
      const request = withKey(await makeExample(world, 'sessions.create'))
      const first = await send(server.url, specOf('sessions.create'), request)
      await server.restart()
      const replay = await send(server.url, specOf('sessions.create'), request)
      expect(replay.text).toBe(first.text)
      server.clock.advance(24 * 3_600_000 - 1)
      expect((await send(server.url, specOf('sessions.create'), request)).text).toBe(first.text)
      server.clock.advance(1)
      const fresh = await send(server.url, specOf('sessions.create'), request)
      expect(fresh.status).toBe(201)
      expect(fresh.text).not.toBe(first.text)
    })

    it('may be sent in quotes, and is refused when it is empty, blank or too long', async () => {
      const example = await makeExample(world, 'sessions.create')
      const bare = await send(server.url, specOf('sessions.create'), withKey(example, 'quoted-key'))
      const quoted = await send(server.url, specOf('sessions.create'), withKey(example, '"quoted-key"'))
      expect(quoted.text).toBe(bare.text)
      for (const key of ['', '""', 'two words', 'x'.repeat(256), 'é']) {
        const answer = await send(server.url, specOf('sessions.create'), withKey(example, key))
        expect(answer.status, key).toBe(400)
        expect(failureOf(answer).error.details?.[0]?.path).toBe('Idempotency-Key')
      }
    })

    it('does not remember a request that was malformed: the same key may be used once it is right', async () => {
      const example = await makeExample(world, 'sessions.create')
      const bad = withKey(withJson(example, { externalId: 5 }))
      expect((await send(server.url, specOf('sessions.create'), bad)).status).toBe(400)
      const right = withKey(example, bad.headers?.['idempotency-key'])
      expect((await send(server.url, specOf('sessions.create'), right)).status).toBe(201)
    })

    it('remembers that something was not found, and no other body goes under it', async () => {
      const example = await makeExample(world, 'sessions.end')
      const keyed = withKey({ ...example, params: { id: 'ses_none' } })
      const first = await send(server.url, specOf('sessions.end'), keyed)
      const again = await send(server.url, specOf('sessions.end'), keyed)
      expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([404, first.text, 'true'])
      const other = await send(server.url, specOf('sessions.end'), {
        ...keyed,
        ...pick(withJson(keyed, { reason: 'another' })),
      })
      expect(other.status).toBe(422)
    })

    it('of a download gives the very bytes again, marked as replayed, and to no other body', async () => {
      const spec = specOf('candidateRequests.export')
      const example = await makeExample(world, 'candidateRequests.export')
      const keyed = withKey(example)
      const first = await send(server.url, spec, keyed)
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
      server.clock.advance(1000)
      const again = await send(server.url, spec, keyed)
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect(again.text).toBe(first.text)
      expect(again.headers.get('content-disposition')).toBe(first.headers.get('content-disposition'))
      const foreign = pick(withJson(keyed, { requestId: 'crr_other' }))
      expect((await send(server.url, spec, { ...keyed, ...foreign })).status).toBe(422)
      const unknown = withKey(withJson(example, { requestId: 'crr_none' }))
      const refused = await send(server.url, spec, unknown)
      const again404 = await send(server.url, spec, unknown)
      expect([again404.status, again404.text]).toEqual([404, refused.text])
      expect(again404.headers.get('idempotency-replayed')).toBe('true')
    })

    it('remembers what a handler refused: under that key it stays refused for 24 hours', async () => {
      const live = await liveSession(server, world.scope, world.key)
      const request = { headers: { authorization: `Bearer ${world.key}` }, params: { id: live.id } }
      const erase = (asked: Example) => send(server.url, specOf('sessions.erase'), asked)
      const keyed = withKey(request)
      const first = await erase(keyed)
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([409, null])
      await server.client(world.key).call('sessions.end', { params: request.params })
      const again = await erase(keyed)
      expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([409, first.text, 'true'])
      expectHouseRules(specOf('sessions.erase'), again)
      await server.restart()
      expect((await erase(keyed)).text).toBe(first.text)
      expect((await erase(withKey(request))).status).toBe(200)
      server.clock.advance(24 * 3_600_000)
      expect((await erase(keyed)).status).toBe(200)
    })
  })

/** Bodies that say something else, some of which the endpoint takes: with one name less, or another value. */
const othersOf = function* (json: object = {}): Generator<object> {
  yield { ...json, another: true }
  for (const name of Object.keys(json))
    yield Object.fromEntries(Object.entries(json).filter(([other]) => other !== name))
  for (const [name, value] of Object.entries(json) as [string, unknown][]) {
    if (typeof value === 'string') for (const other of [`${value}x`, `x${value}`]) yield { ...json, [name]: other }
    if (typeof value === 'number') for (const other of [value + 1, value - 1]) yield { ...json, [name]: other }
    if (typeof value === 'boolean') yield { ...json, [name]: !value }
    if (Array.isArray(value))
      for (const other of [value.slice(1), [...value, ...value]]) yield { ...json, [name]: other }
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const other of othersOf(value)) yield { ...json, [name]: other }
  }
}
const pick = ({ headers, payload }: Example) => ({ headers, payload })
