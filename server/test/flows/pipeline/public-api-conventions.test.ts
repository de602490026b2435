import { type Deprecation, deprecation, endpoint, endpoints } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { enginesInTurn } from '../../test-support/engines.ts'
import { type Asked, ask, invalidAt, problemOf } from '../../test-support/public-api-call.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

/** The rows of the interface's public API, spelled out so that a missing one is noticed. */
const rows = `GET /v1/api/orgs/self org:read
GET /v1/api/me org:read
GET /v1/api/sessions sessions:read limit offset state from to provisionedBy sandbox
POST /v1/api/sessions sessions:write
GET /v1/api/sessions/{id} sessions:read
PATCH /v1/api/sessions/{id} sessions:write
POST /v1/api/sessions/{id}/end sessions:write
POST /v1/api/sessions/{id}/erase sessions:write
POST /v1/api/sessions/{id}/join-links sessions:write
POST /v1/api/sessions/{id}/room-devices sessions:write
GET /v1/api/sessions/{id}/events sessions:read limit offset
GET /v1/api/sessions/{id}/transcript sessions:read since limit offset
GET /v1/api/sessions/{id}/evidence evidence:read limit offset evidence_type
GET /v1/api/sessions/{id}/compositions evidence:read
GET /v1/api/sessions/{id}/system-audio-chunks evidence:read limit offset
GET /v1/api/sessions/{id}/review-status sessions:read
GET /v1/api/sessions/{id}/report reports:read
GET /v1/api/evidence/{id} evidence:read
POST /v1/api/evidence/{id}/download-url evidence:read
GET /v1/api/evidence/{id}/content - token
GET /v1/api/compositions/{id} evidence:read
POST /v1/api/compositions/{id}/render evidence:read
POST /v1/api/compositions/{id}/download-url evidence:read
GET /v1/api/compositions/{id}/content - token
GET /v1/api/webhooks webhooks:read
POST /v1/api/webhooks webhooks:write
GET /v1/api/webhooks/{id} webhooks:read
PATCH /v1/api/webhooks/{id} webhooks:write
DELETE /v1/api/webhooks/{id} webhooks:write
POST /v1/api/webhooks/{id}/rotate-secret webhooks:write
POST /v1/api/webhooks/{id}/test webhooks:write
GET /v1/api/webhooks/{id}/deliveries webhooks:read limit offset status eventType
POST /v1/api/webhooks/{id}/deliveries/{deliveryId}/replay webhooks:write
GET /v1/api/events events:read types sessionId limit offset
GET /v1/api/events/stream events:read types sessionId lastEventId`
  .split('\n')
  .map((line) => {
    const [method, path, scope, ...query] = line.split(' ')
    return { method, path, scope: scope === '-' ? undefined : scope, query }
  })

describe('the rows of the public API', () => {
  it('are thirty-five', () => {
    expect(rows).toHaveLength(35)
  })

  it.each(rows)('$method $path is declared with its scope and its query', ({ method, path, scope, query }) => {
    const found = endpoints.filter((endpoint) => endpoint.method === method && endpoint.path === path)
    expect(found).toHaveLength(1)
    const [endpoint] = found
    const rule = endpoint?.auth[0]
    expect(endpoint?.auth).toHaveLength(1)
    expect(rule?.kind).toBe(scope === undefined ? 'download' : 'api_key')
    if (rule?.kind === 'api_key') expect(rule.scope).toBe(scope)
    const declared = endpoint && 'query' in endpoint ? Object.keys(endpoint.query.shape) : []
    expect(declared).toEqual(expect.arrayContaining(query))
  })
})

const withPeriod = endpoints.filter(
  (endpoint) => 'query' in endpoint && 'from' in endpoint.query.shape && 'to' in endpoint.query.shape,
)

/** Instants; of reels, milliseconds of the interview. */
const instants = {
  turned: [{ from: '2026-09-02T00:00:00Z', to: '2026-09-01T00:00:00Z' }],
  right: [{ from: '2026-09-01T02:00:00+02:00', to: '2026-09-01T00:00:00Z' }, { from: '2026-09-01T00:00:00Z' }],
}
const milliseconds = { turned: [{ from: '2', to: '1' }], right: [{ from: '1', to: '2' }, { from: '1' }] }

describe('a period', () => {
  it.each(withPeriod.map((endpoint) => [endpoint.id, endpoint] as const))(
    'of %s is refused when it ends before it begins',
    (id, endpoint) => {
      const query = ('query' in endpoint ? endpoint.query : z.object()) as z.ZodObject
      const issues = (value: object) => query.safeParse(value).error?.issues.map((issue) => issue.path.join('.')) ?? []
      const { turned, right } = id.endsWith('reels.get') ? milliseconds : instants
      for (const period of turned) expect(issues(period)).toContain('from')
      for (const period of right) expect(issues(period)).not.toContain('from')
    },
  )

  it('is taken by lists of both kinds', () => {
    const ids = withPeriod.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['sessions.list', 'sessions.reels.get']))
  })
})

for (const engine of enginesInTurn(import.meta.filename))
  describe(`public API, conventions (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const call = (line: string, asked?: Asked) => ask(server, line, asked)
    const problem = async (line: string, asked?: Asked) => problemOf(await call(line, asked))
    const total = async () => (await call('GET /v1/api/sessions')).data.total
    const withKey = (key: string, body: unknown = { externalId: 'REQ' }) =>
      call('POST /v1/api/sessions', { body, headers: { 'idempotency-key': key } })

    describe('orgs.self', () => {
      it('is the organisation of the key, live or sandbox, and HEAD gives its headers alone', async () => {
        const [org, other] = server.orgs
        const { status, data, text } = await call('GET /v1/api/orgs/self')
        expect(status).toBe(200)
        expect(data).toEqual({
          id: org.orgId,
          name: expect.any(String),
          slug: expect.any(String),
          createdAt: expect.any(String),
        })
        expect((await call('GET /v1/api/orgs/self', { key: org.liveKey })).data).toEqual(data)
        expect((await call('GET /v1/api/orgs/self', { key: other.liveKey })).data.id).toBe(other.orgId)
        const head = await call('HEAD /v1/api/orgs/self')
        expect([head.text, head.headers.get('content-length')]).toEqual(['', String(Buffer.byteLength(text))])
      })
    })

    describe('orgs.me', () => {
      it('tells a key its organisation, label, environment and scopes, and never the key itself', async () => {
        const { sandboxKey, liveKey, orgId } = server.orgs[0]
        for (const [key, environment] of [
          [sandboxKey, 'sandbox'],
          [liveKey, 'live'],
        ] as const) {
          const { data, text } = await call('GET /v1/api/me', { key })
          expect(data).toEqual({
            keyId: expect.stringMatching(/^key_/),
            label: `first ${environment} key`,
            environment,
            scopes: expect.arrayContaining([
              'org:read',
              'sessions:read',
              'sessions:write',
              'evidence:read',
              'reports:read',
            ]),
            org: { id: orgId, name: expect.any(String), slug: expect.any(String) },
          })
          expect(data.scopes).toHaveLength(8)
          expect(text).not.toContain(key)
        }
      })

      it('takes the scheme in any case and refuses every other form of the header', async () => {
        const { sandboxKey } = server.orgs[0]
        const me = (authorization: string) => call('GET /v1/api/me', { key: '', headers: { authorization } })
        for (const header of [`bearer ${sandboxKey}`, `BEARER  ${sandboxKey}`])
          expect((await me(header)).status).toBe(200)
        for (const header of [
          '',
          'Bearer',
          sandboxKey,
          `Token ${sandboxKey}`,
          `Bearer ${sandboxKey} x`,
          `Basic ${sandboxKey}`,
          `Bearer ${sandboxKey.slice(0, -1)}`,
        ]) {
          const answer = await me(header)
          expect(problemOf(answer), header).toEqual({ status: 401, code: 'unauthorized', paths: [] })
          expect(answer.headers.get('www-authenticate')).toBe('Bearer')
        }
        expect(await problem(`GET /v1/api/me?api_key=${sandboxKey}`, { key: '' })).toMatchObject({ status: 401 })
      })
    })

    describe('an answer', () => {
      it('carries the usual headers whatever went wrong', async () => {
        // `ask` holds every answer to them.
        const lines: [string, number, Asked?][] = [
          ['GET /v1/api/me', 401, { key: '' }],
          ['GET /v1/api/nothing', 404],
          ['DELETE /v1/api/me', 405],
          ['GET /v1/api/sessions/ses_none', 404],
          ['HEAD /v1/api/sessions/ses_none', 404],
          ['GET /v1/api/sessions?limit=0', 400],
          ['POST /v1/api/sessions', 415, { body: 'x', headers: { 'content-type': 'text/plain' } }],
          [
            'POST /v1/api/sessions',
            413,
            { body: 'x'.repeat(1024 * 1024 + 1), headers: { 'content-type': 'application/json' } },
          ],
          ['GET /v1/api/evidence/evd_none/content', 401, { key: '' }],
          ['GET /v1/api/events/stream?types=x', 400],
        ]
        for (const [line, status, asked] of lines) expect((await call(line, asked)).status, line).toBe(status)
      })

      it('is the same JSON whatever the client would rather have, and never compressed', async () => {
        const plain = await call('GET /v1/api/me')
        for (const headers of [
          { accept: 'text/html' },
          { accept: '*/*;q=0' },
          { 'accept-encoding': 'gzip, br' },
          { 'accept-encoding': 'identity;q=0' },
          { 'accept-charset': 'utf-16' },
          { 'accept-language': 'xx' },
        ] as Record<string, string>[]) {
          const answer = await call('GET /v1/api/me', { headers })
          expect([answer.status, answer.text]).toEqual([200, plain.text])
          expect(answer.headers.get('content-encoding')).toBeNull()
          expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
        }
      })

      it('has an id of its own, whatever id the client sends', async () => {
        const headers = { 'x-request-id': 'mine' }
        const ids = await Promise.all(
          [1, 2].map(async () => (await call('GET /v1/api/me', { headers })).headers.get('x-request-id')),
        )
        expect(new Set(ids).size).toBe(2)
        expect(ids).not.toContain('mine')
      })
    })

    describe('a body', () => {
      const post = (body: string | Uint8Array, type: string) =>
        call('POST /v1/api/sessions', { body, headers: { 'content-type': type } })

      it('is UTF-8: another charset is 415, and bytes that are none are refused rather than altered', async () => {
        for (const type of [
          'application/json;charset=UTF-8',
          'application/json; charset="utf-8"',
          'APPLICATION/JSON ; Charset=utf8',
          'application/json; charset=us-ascii',
        ])
          expect((await post('{}', type)).status, type).toBe(201)
        const before = await total()
        for (const type of [
          'application/json; charset=utf-16',
          'application/json; charset=iso-8859-1',
          'application/json;charset="latin1"',
        ])
          expect(problemOf(await post('{}', type)), type).toEqual({ status: 415, code: 'invalid_request', paths: [] })
        const latin = Buffer.from('{"candidateLabel":"Jos\u00e9"}', 'latin1')
        expect(problemOf(await post(latin, 'application/json'))).toEqual(invalidAt(''))
        for (const text of ['{', '{"a":1}x', "{'a':1}", '\ufeff{}', 'undefined', '{"externalId":NaN}'])
          expect(problemOf(await post(text, 'application/json')), text).toEqual(invalidAt(''))
        expect(await total()).toBe(before)
      })

      it('of another content type is 415, whatever it holds', async () => {
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/jsonp',
          'application/xml',
          ' ',
        ])
          expect((await post('{}', type)).status, type).toBe(415)
      })
    })

    describe('Idempotency-Key', () => {
      it('may be 255 characters, bare or quoted, and no more; the quotes do not count and do not matter', async () => {
        const key = `${'k'.repeat(200)}${'!~'.repeat(27)}x`
        expect(key).toHaveLength(255)
        const first = await withKey(key)
        expect(first.status).toBe(201)
        expect(first.headers.get('idempotency-replayed')).toBeNull()
        for (const again of [key, `"${key}"`]) {
          const replay = await withKey(again)
          expect([replay.status, replay.text]).toEqual([201, first.text])
          expect(replay.headers.get('idempotency-replayed')).toBe('true')
          expect(replay.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
        }
        const before = await total()
        for (const wrong of [`${key}x`, `"${key}x"`, '', '""', ' ', 'a b', 'a\tb', 'k\u00e9y', 'one, two'])
          expect(problemOf(await withKey(wrong)), wrong).toEqual(invalidAt('Idempotency-Key'))
        expect(await total()).toBe(before)
      })

      it('with another body is refused as reuse, and neither refusal nor replay makes anything', async () => {
        const first = await withKey('order-1', { externalId: 'A' })
        const before = await total()
        const reused = await withKey('order-1', { externalId: 'B' })
        expect(problemOf(reused)).toEqual({ status: 422, code: 'idempotency_key_reuse', paths: [] })
        expect(reused.headers.get('idempotency-replayed')).toBeNull()
        expect((await withKey('order-1', { externalId: 'A' })).data.id).toBe(first.data.id)
        expect(await total()).toBe(before)
      })

      it('on a read changes nothing: the answer is today’s', async () => {
        const headers = { 'idempotency-key': 'read-1' }
        const before = (await call('GET /v1/api/sessions', { headers })).data.total
        await call('POST /v1/api/sessions')
        const after = await call('GET /v1/api/sessions', { headers })
        expect(after.data.total).toBe(before + 1)
        expect(after.headers.get('idempotency-replayed')).toBeNull()
      })
    })
  })

describe('an endpoint that is going away', () => {
  it('says so on its answers, with the day as an HTTP date, and goes on answering; the others say nothing', async () => {
    const server = await startServer()
    const spec = endpoint('orgs.self') as { deprecated?: Deprecation }
    try {
      const before = await ask(server, 'GET /v1/api/orgs/self')
      expect([before.headers.get('deprecation'), before.headers.get('sunset')]).toEqual([null, null])
      spec.deprecated = deprecation('2026-12-03', 180)
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(server, `${method} /v1/api/orgs/self`)
        expect([status, headers.get('deprecation'), headers.get('sunset')]).toEqual([
          200,
          'true',
          'Tue, 01 Jun 2027 00:00:00 GMT',
        ])
      }
      expect((await ask(server, 'GET /v1/api/orgs/self')).text).toBe(before.text)
      expect((await ask(server, 'GET /v1/api/me')).headers.get('deprecation')).toBeNull()
    } finally {
      delete spec.deprecated
      await server.stop()
    }
  })
})

describe('rate ceilings on the public API', () => {
  it('every answer counts down, a refusal too, and the one beyond the ceiling says how long to wait', async () => {
    const server = await startServer({ limits: { perKey: 4 } })
    try {
      const lines = [
        'GET /v1/api/me',
        'GET /v1/api/sessions/ses_none',
        'GET /v1/api/sessions?limit=0',
        'PATCH /v1/api/webhooks/whk_none',
      ]
      const left: string[] = []
      for (const line of lines) {
        const { headers } = await ask(server, line)
        expect(headers.get('ratelimit-limit')).toBe('4')
        expect(headers.get('retry-after')).toBeNull()
        left.push(headers.get('ratelimit-remaining') ?? '')
      }
      expect(left).toEqual(['3', '2', '1', '0'])
      for (const line of ['GET /v1/api/me', 'POST /v1/api/sessions', 'GET /v1/api/events/stream', 'HEAD /v1/api/me']) {
        const { status, headers } = await ask(server, line)
        expect([status, headers.get('retry-after'), headers.get('ratelimit-scope')], line).toEqual([429, '60', 'key'])
      }
      expect((await ask(server, 'GET /v1/api/me', { key: server.orgs[0].liveKey })).status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})
