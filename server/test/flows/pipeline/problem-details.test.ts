import { errorCodes } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test-support/server.ts'

const baseUrl = 'https://integrity.example'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { BASE_URL: baseUrl } })
})
afterAll(() => server.stop())

interface Asked {
  readonly method?: string
  readonly accept?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}
const ask = async (path: string, { method = 'GET', accept, body, headers = {} }: Asked = {}) => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${server.orgs[0].sandboxKey}`,
      'content-type': 'application/json',
      ...(accept === undefined ? {} : { accept }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    response,
    type: response.headers.get('content-type'),
    said: (await response.json()) as Record<string, unknown>,
  }
}
const problem = 'application/problem+json'

describe('a refusal to a caller that takes problem details', () => {
  it.each([
    ['of a wrong body', '/v1/api/sessions', { method: 'POST', body: { externalId: '' } }, 'invalid_request', 400],
    ['of no credential', '/v1/api/sessions', { headers: { authorization: '' } }, 'unauthorized', 401],
    ['of an id that is not known', '/v1/api/sessions/ses_none', {}, 'not_found', 404],
    ['of a path that is not known', '/v1/nothing', {}, 'not_found', 404],
    ['of a method of a page', '/openapi.json', { method: 'DELETE' }, 'not_found', 405],
  ] as const)(
    '%s has the members of RFC 9457, and the page that its type names exists',
    async (_, path, asked, code, status) => {
      const { response, type, said } = await ask(path, { ...asked, accept: `application/json, ${problem}` })
      expect([response.status, type]).toEqual([status, `${problem}; charset=utf-8`])
      expect(said).toMatchObject({
        type: `${baseUrl}/docs/errors/${code}`,
        title: errorCodes[code].summary,
        status,
        detail: expect.any(String),
        code,
        requestId: response.headers.get('x-request-id'),
      })
      expect(said).not.toHaveProperty('success')
      const page = await fetch(`${server.url}${new URL(String(said['type'])).pathname}`)
      expect(page.status).toBe(200)
      await page.arrayBuffer()
    },
  )

  it('names the fields at fault', async () => {
    const { said } = await ask('/v1/api/sessions', { method: 'POST', body: { externalId: '' }, accept: problem })
    expect(said['details']).toEqual([{ path: 'externalId', message: expect.any(String) }])
  })

  it('is in each form that is asked for when it is repeated under one key', async () => {
    const path = '/v1/api/sessions/ses_none/end'
    const again = { method: 'POST', body: {}, headers: { 'idempotency-key': 'once' } }
    const first = await ask(path, again)
    const replayed = await ask(path, { ...again, accept: problem })
    expect([first.response.status, replayed.response.status]).toEqual([404, 404])
    expect(replayed.response.headers.get('idempotency-replayed')).toBe('true')
    expect([first.type, replayed.type]).toEqual(['application/json; charset=utf-8', `${problem}; charset=utf-8`])
    const { error } = first.said as { error: { code: string; message: string } }
    expect(replayed.said).toMatchObject({ code: error.code, detail: error.message, status: 404 })
  })
})

describe('the envelope', () => {
  it.each([undefined, '*/*', 'application/json', `application/json, ${problem};q=0`, 'application/problem+xml'])(
    'stays for a caller that accepts %s',
    async (accept) => {
      const { type, said } = await ask('/v1/api/sessions/ses_none', accept === undefined ? {} : { accept })
      expect([type, said['success']]).toEqual(['application/json; charset=utf-8', false])
    },
  )

  it('stays around what succeeds, and a directory gets the errors of its own protocol', async () => {
    expect((await ask('/v1/api/orgs/self', { accept: problem })).said['success']).toBe(true)
    const { type, said } = await ask('/scim/v2/Users', { accept: problem })
    expect([type, said['schemas']]).toEqual([
      'application/scim+json; charset=utf-8',
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ])
  })
})
