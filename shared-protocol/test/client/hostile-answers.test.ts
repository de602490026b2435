import { describe, expect, it } from 'vitest'
import { createCaller } from '../../client/src/caller.ts'
import type { EveryEndpoint } from '../../client/src/contract-types.ts'
import type { IntegrityError } from '../../client/src/errors.ts'
import { platformRuntime } from '../../client/src/runtime.ts'

const table = { 'orgs.me': 'GET /v1/api/me', 'evidence.content': 'GET /v1/evidence/{id}/content bytes' } as const
type Used = Pick<EveryEndpoint, keyof typeof table>
const now = Date.parse('2026-11-20T09:00:00.000Z')
const runtime = { ...platformRuntime, now: () => now }
const callerOf = (answer: () => Response | Promise<Response>) =>
  createCaller<Used>({ baseUrl: 'https://service.test', table, runtime, fetch: async () => answer() })
const failureOf = (answer: () => Response | Promise<Response>): Promise<IntegrityError> =>
  callerOf(answer)
    .call('orgs.me')
    .then(
      () => expect.fail('it was answered'),
      (error: IntegrityError) => error,
    )
const broken = (text: string) =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) => controller.error(new TypeError('reset')),
  })

describe('an answer', () => {
  it.each([
    ['broken off JSON', '{"success":true,"data":{"id":"ses_'],
    ['no JSON', 'OK'],
    ['an array', '[{"success":true}]'],
    ['a number', '7'],
    ['the word true', 'true'],
    ['a success that is no boolean', '{"success":"true","data":{}}'],
    ['nothing', ''],
    ['an error without a code', '{"success":false,"error":{"message":"no"}}'],
    ['an error that is a text', '{"success":false,"error":"no"}'],
    ['an error whose code is no text', '{"success":false,"error":{"code":{"$ne":""}}}'],
    ['no error at all', '{"success":false}'],
  ])('of %s is none of the service, whatever its status says', async (_what, text) => {
    for (const status of [200, 401, 403, 409, 500])
      expect(await failureOf(() => new Response(text, { status }))).toMatchObject({
        code: 'not_the_service',
        status,
        kind: 'later',
        details: [],
        extra: {},
      })
  })

  it('whose refusal has the wrong shapes still tells its code', async () => {
    for (const details of ['all of them', { path: 'x' }, null, 7]) {
      const error = { code: 'conflict', details }
      const failure = await failureOf(() => Response.json({ success: false, error }, { status: 409 }))
      expect(failure).toMatchObject({ code: 'conflict', message: 'conflict', details: [], kind: 'conflict' })
    }
  })

  it('of a success under a status of failure is not taken for one', async () => {
    const answer = () => Response.json({ success: true, data: { id: 1 } }, { status: 403 })
    expect(await failureOf(answer)).toMatchObject({ code: 'not_the_service', status: 403 })
  })

  it('that breaks off on the way is no answer', async () => {
    const failure = await failureOf(() => new Response(broken('{"success":true,')))
    expect(failure).toMatchObject({ code: 'no_answer', status: 0, isUnanswered: true })
  })

  it('cannot reach what objects inherit', async () => {
    const text = '{"success":true,"data":{"__proto__":{"admin":true}}}'
    const { data } = await callerOf(() => new Response(text)).call('orgs.me')
    expect((data as { admin?: boolean }).admin).not.toBe(true)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it('in bytes that is a refusal is read as one, and another is left unread', async () => {
    const refusal = { success: false, error: { code: 'not_found', message: 'no' } }
    const refusing = callerOf(() => Response.json(refusal, { status: 404 }))
    const input = { params: { id: 'evd_1' }, query: { token: 't' } }
    await expect(refusing.call('evidence.content', input)).rejects.toMatchObject({ code: 'not_found' })
    const { data } = await callerOf(() => new Response('bytes')).call('evidence.content', input)
    expect(data.bodyUsed).toBe(false)
  })
})

describe('Retry-After', () => {
  it.each([
    ['7', 7000],
    [' 7 ', 7000],
    ['0', 0],
    ['Fri, 20 Nov 2026 09:00:09 GMT', 9000],
    // A date that is over.
    ['Fri, 20 Nov 2026 08:59:00 GMT', 0],
    ['soon', undefined],
    ['1.5e3 s', undefined],
    ['', undefined],
  ])('of %j means %s ms', async (text, ms) => {
    const refusal = { success: false, error: { code: 'rate_limited', message: 'no' } }
    const answer = () => Response.json(refusal, { status: 429, headers: { 'retry-after': text } })
    expect((await failureOf(answer)).retryAfterMs).toBe(ms)
  })
})
