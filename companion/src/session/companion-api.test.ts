import { createHash } from 'node:crypto'
import type { IntegrityError } from '@integrity/client/errors'
import { splitFrames } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../test/fake-world.ts'
import { createCompanionApi } from './companion-api.ts'

const who = { token: 'cmt_1', sessionId: 'ses_1' }
const yes = (data: unknown, headers = {}) => Response.json({ success: true, data }, { headers })
const no = (status: number, error: object = {}, headers = {}) =>
  Response.json({ success: false, error: { code: 'x', message: 'y', ...error } }, { status, headers })

/** The requests, and a service that gives these answers one after the other. */
const withAnswers = (...answers: (Response | Error)[]) => {
  const asked: { url: string; init: RequestInit & { headers: Record<string, string> } }[] = []
  const dates: string[] = []
  const api = createCompanionApi({
    baseUrl: () => 'https://x.example/prefix',
    sha256: async (bytes) => createHash('sha256').update(new Uint8Array(bytes)).digest('hex'),
    base64: (bytes) => Buffer.from(bytes).toString('base64'),
    onDate: (date) => void dates.push(date),
    fetch: async (url, init) => {
      asked.push({ url, init: init as (typeof asked)[number]['init'] })
      const answer = answers.shift()
      if (answer instanceof Response) return answer
      throw answer ?? new Error('nobody is there')
    },
  })
  return { api, asked, dates }
}
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it was answered'),
    (problem: IntegrityError) => problem,
  )

describe('a request of the phone', () => {
  it('goes to the service it was paired with, with its token, and hears the time', async () => {
    const { api, asked, dates } = withAnswers(yes({ accepted: 1 }, { date: 'Fri, 20 Nov 2026 10:00:00 GMT' }))
    await api.presence(who, [])
    expect(asked[0]?.url).toBe('https://x.example/prefix/v1/pairings/ses_1/presence')
    expect(asked[0]?.init).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: 'Bearer cmt_1' },
    })
    expect(dates).toEqual(['Fri, 20 Nov 2026 10:00:00 GMT'])
  })

  it('sends a claim under its key and without a token, its code escaped', async () => {
    const { api, asked } = withAnswers(yes({}))
    await api.claim('../x', 'key-1', { platform: 'web' }, 'hi-IN')
    expect(asked[0]?.url).toBe('https://x.example/prefix/v1/pairings/..%2Fx/claim')
    expect(asked[0]?.init.headers).toMatchObject({ 'idempotency-key': 'key-1' })
    expect(asked[0]?.init.headers).not.toHaveProperty('authorization')
    expect(JSON.parse(asked[0]?.init.body as string)).toEqual({ device: { platform: 'web' }, locale: 'hi-IN' })
  })

  it.each([
    ['no answer', new Error('cut'), 'later'],
    ["a hotel's page", new Response('<html>sign in</html>', { status: 200 }), 'later'],
    ["a proxy's own refusal", Response.json({ message: 'no' }, { status: 403 }), 'later'],
    ['503', no(503), 'later'],
    ['a conflict that passes', no(409, {}, { 'retry-after': '1' }), 'later'],
    ['401', no(401), 'unauthorized'],
    ['403', no(403), 'forbidden'],
    ['404', no(404), 'not_found'],
    ['409', no(409), 'conflict'],
    ['429', no(429, {}, { 'retry-after': '7' }), 'too_many'],
    ['400', no(400), 'refused'],
    ['413', no(413), 'refused'],
  ] as const)('that gets %s is told apart', async (_what, answer, kind) => {
    const { api } = withAnswers(answer)
    expect((await problemOf(api.status(who))).kind).toBe(kind)
  })

  it('knows what was at fault, how long to wait, and which document is in force', async () => {
    const details = [{ path: 'beats.1.at' }]
    const document = { hash: 'h' }
    const { api } = withAnswers(
      no(400, { details }),
      no(429, {}, { 'retry-after': '7' }),
      no(409, { consentDocument: document }),
    )
    expect((await problemOf(api.presence(who, []))).details).toEqual(details)
    expect((await problemOf(api.status(who))).retryAfterMs).toBe(7000)
    expect((await problemOf(api.status(who))).extra).toEqual({ consentDocument: document })
  })
})

describe('a clip', () => {
  const MiB = 1024 * 1024
  const bytes = Uint8Array.from({ length: 2.5 * MiB }, (_b, n) => n % 251).buffer
  const clip = {
    kind: 'clip',
    clientId: 'clip-1',
    sessionId: 'ses_1',
    at: 0,
    contentType: 'video/webm',
    durationMs: 30_000,
    bytes,
  } as const

  it('goes in parts, and only those that are not there yet', async () => {
    const begun = { uploadId: 'upl_1', partSize: MiB, partCount: 3, receivedParts: [1] }
    const { api, asked } = withAnswers(yes(begun), yes({}), yes({}), yes({}))
    await api.clip(who, clip)
    expect(asked.map(({ url }) => url.replace('https://x.example/prefix', ''))).toEqual([
      '/v1/sessions/ses_1/evidence',
      '/v1/uploads/upl_1/parts?index=0',
      '/v1/uploads/upl_1/parts?index=2',
      '/v1/uploads/upl_1/complete',
    ])
    const last = asked[2]?.init
    const part = bytes.slice(2 * MiB)
    expect(last?.headers['x-service-part-sha256']).toBe(createHash('sha256').update(new Uint8Array(part)).digest('hex'))
    expect((last?.body as ArrayBuffer | undefined)?.byteLength).toBe(0.5 * MiB)
    expect(JSON.parse(asked[0]?.init.body as string)).toMatchObject({
      clientId: 'clip-1',
      sizeBytes: 2.5 * MiB,
      partSize: MiB,
    })
  })

  it('goes with others in one request, each with its small picture where there is one', async () => {
    const items = [{ clientId: 'clip-1', status: 'stored' }]
    const { api, asked } = withAnswers(yes({ items }))
    const short = { ...clip, bytes: bytesOf('short') }
    expect(
      await api.pack(who, [
        { ...short, small: 'AQID' },
        { ...short, clientId: 'clip-2' },
      ]),
    ).toEqual(items)
    expect(asked[0]?.url).toBe('https://x.example/prefix/v1/sessions/ses_1/packs')
    expect(asked[0]?.init.headers['content-type']).toBe('application/vnd.integrity.pack')
    const frames = splitFrames(asked[0]?.init.body as Uint8Array, { frames: 64, headBytes: 32_768 })
    const said = {
      evidenceType: 'side_view_clip',
      capturedAt: '1970-01-01T00:00:00.000Z',
      contentType: 'video/webm',
      durationMs: 30_000,
      sha256: createHash('sha256').update('short').digest('hex'),
    }
    expect(frames.map(({ head }) => JSON.parse(Buffer.from(head).toString()) as unknown)).toEqual([
      { ...said, clientId: 'clip-1', small: 'AQID' },
      { ...said, clientId: 'clip-2' },
    ])
    expect(frames.map(({ body }) => Buffer.from(body).toString())).toEqual(['short', 'short'])
  })

  it('is done at once when the service has the same bytes already', async () => {
    const { api, asked } = withAnswers(yes({ deduplicated: true, evidence: {} }))
    await api.clip(who, { ...clip, bytes: bytesOf('short') })
    expect(asked).toHaveLength(1)
  })
})
