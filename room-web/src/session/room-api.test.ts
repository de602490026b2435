import { IntegrityError } from '@integrity/client/errors'
import { splitFrames } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { Still } from './room.types.ts'
import { consentDocumentOf, createRoomApi, linkEndOf, type RoomApiOptions } from './room-api.ts'

/** The room's requests against one answer. */
const asking = (answer: Response | Error, more: Partial<RoomApiOptions> = {}) => {
  const requests: { url: string; init: RequestInit }[] = []
  const dates: string[] = []
  const api = createRoomApi({
    baseUrl: 'https://service.example/prefix',
    sessionId: 'ses/1',
    token: 'rmt_secret',
    fetch: async (url, init) => {
      requests.push({ url, init })
      if (answer instanceof Error) throw answer
      return answer
    },
    onDate: (date) => dates.push(date),
    ...more,
  })
  return { api, requests, dates }
}

const ok = (data: unknown) => Response.json({ success: true, data })
const no = (status: number, error: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ success: false, error: { code: 'x', message: 'y', ...error } }, { status, headers })

const problemOf = async (answer: Response | Error): Promise<IntegrityError> => {
  const error: unknown = await asking(answer)
    .api.read()
    .catch((thrown: unknown) => thrown)
  if (error instanceof IntegrityError) return error
  throw new Error(`no IntegrityError: ${String(error)}`)
}

describe('a request of the room', () => {
  it('goes to the service beside the page, with the token in a header and nowhere else', async () => {
    const { api, requests } = asking(ok({}))
    await api.read()
    const [{ url, init } = { url: '', init: {} }] = requests
    expect(url).toBe('https://service.example/prefix/v1/rooms/ses%2F1')
    expect(init).toMatchObject({ method: 'GET', redirect: 'manual', cache: 'no-store' })
    expect(init.headers).toMatchObject({ authorization: 'Bearer rmt_secret' })
  })

  it('asks for the document in the language of the page, as it is at that moment', async () => {
    let language = 'hi'
    const { api, requests } = asking(ok({}), { language: () => language })
    await api.read()
    language = 'en-GB'
    await api.read().catch(() => undefined)
    expect(requests.map(({ url }) => url.split('?')[1])).toEqual(['locale=hi', 'locale=en-GB'])
  })

  it('sends a still as its bytes, and what it is in a header', async () => {
    const { api, requests } = asking(ok({}))
    const bytes = new Uint8Array([1, 2, 3]).buffer
    const meta = { clientId: 'c1', capturedAt: '2026-11-20T09:00:00.000Z', contentType: 'image/webp' } as const
    const still: Still = { ...meta, sessionId: 'ses_1', sha256: 'a'.repeat(64), bytes, width: 4, height: 3 }
    await api.send(still)
    const [{ url, init } = { url: '', init: {} }] = requests
    expect(url).toBe('https://service.example/prefix/v1/sessions/ses_1/camera/frames')
    expect(init.body).toBe(bytes)
    const headers = init.headers as Record<string, string>
    expect(headers['content-type']).toBe('image/webp')
    expect(JSON.parse(headers['x-service-evidence-meta'] ?? '')).toEqual({
      ...meta,
      sha256: 'a'.repeat(64),
      width: 4,
      height: 3,
      trigger: 'interval',
    })
  })

  it('sends many stills in one request, each with its own head and small picture', async () => {
    const items = [{ clientId: 'c1', status: 'stored' }]
    const { api, requests } = asking(ok({ items }))
    const bytes = new Uint8Array([1, 2, 3]).buffer
    const meta = { capturedAt: '2026-11-20T09:00:00.000Z', contentType: 'image/webp', width: 4, height: 3 } as const
    const still = (clientId: string): Still => ({
      ...meta,
      clientId,
      sessionId: 'ses_1',
      sha256: 'a'.repeat(64),
      bytes,
    })
    expect(await api.sendPack([still('c1'), { ...still('c2'), small: bytes }])).toEqual(items)
    const [{ url, init } = { url: '', init: {} }] = requests
    expect(url).toBe('https://service.example/prefix/v1/sessions/ses%2F1/packs')
    expect(init.headers).toMatchObject({ 'content-type': 'application/vnd.integrity.pack' })
    expect(init.headers).not.toHaveProperty('x-service-evidence-meta')
    const frames = splitFrames(init.body as Uint8Array, { frames: 64, headBytes: 32_768 })
    const said = { ...meta, sha256: 'a'.repeat(64), trigger: 'interval', evidenceType: 'camera_frame' }
    expect(frames.map(({ head }) => JSON.parse(new TextDecoder().decode(head)) as unknown)).toEqual([
      { ...said, clientId: 'c1' },
      { ...said, clientId: 'c2', small: 'AQID' },
    ])
    expect(frames.map(({ body }) => [...body])).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  it('hears that a service has no packs, which says nothing of the room', async () => {
    const { api } = asking(no(404))
    await expect(api.sendPack([])).rejects.toMatchObject({ kind: 'not_found' })
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'unauthorized'],
    [409, 'conflict'],
    [400, 'refused'],
    [413, 'refused'],
    [415, 'refused'],
    [408, 'later'],
    [429, 'too_many'],
    [500, 'later'],
    [503, 'later'],
  ] as const)('that is answered with %i is %s', async (status, kind) => {
    expect((await problemOf(no(status))).kind).toBe(kind)
  })

  it('that gets no answer of the service is tried again later', async () => {
    expect((await problemOf(new TypeError('Failed to fetch'))).kind).toBe('later')
    // The page of a network that wants a sign-in, or of a proxy.
    for (const status of [200, 401, 404, 502])
      expect((await problemOf(new Response('<html>', { status }))).kind, String(status)).toBe('later')
    for (const body of ['null', '{}', '"x"', '{"success":"yes"}'])
      expect((await problemOf(new Response(body, { status: 401 }))).kind, body).toBe('later')
  })

  it('tells how long to wait, why a link ended, and the document in force', async () => {
    expect((await problemOf(no(429, {}, { 'retry-after': '7' }))).retryAfterMs).toBe(7_000)
    expect((await problemOf(no(429, {}, { 'retry-after': 'soon' }))).retryAfterMs).toBeUndefined()
    expect(linkEndOf(await problemOf(no(401, { reason: 'released' })))).toBe('released')
    expect(linkEndOf(await problemOf(no(401, { reason: 'session_ended' })))).toBe('ended')
    expect(linkEndOf(await problemOf(no(401, { reason: 'expired' })))).toBe('expired')
    expect(linkEndOf(await problemOf(no(401, { reason: 'something new' })))).toBe('wrong')
    expect(linkEndOf(await problemOf(no(401)))).toBe('wrong')
    const consentDocument = { hash: 'b' }
    expect(consentDocumentOf(await problemOf(no(409, { consentDocument })))).toEqual(consentDocument)
  })

  it('passes the time of the service on', async () => {
    const answer = Response.json({ success: true, data: {} }, { headers: { date: 'Fri, 20 Nov 2026 09:00:00 GMT' } })
    const { api, dates } = asking(answer)
    await api.read()
    expect(dates).toEqual(['Fri, 20 Nov 2026 09:00:00 GMT'])
  })
})
