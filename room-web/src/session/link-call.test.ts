import { IntegrityError } from '@integrity/client/errors'
import { describe, expect, it } from 'vitest'
import { createLinkCall } from './link-call.ts'

const table = {
  'invitations.contact': 'POST /contact',
  'invitations.calendar': 'POST /calendar bytes',
} as const

const asking = (answer: Response | Error) => {
  const requests: { url: string; init: RequestInit }[] = []
  const call = createLinkCall({
    baseUrl: 'https://service.example/prefix',
    table,
    token: 'ivt_secret',
    fetch: async (url, init) => {
      requests.push({ url, init })
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { call, requests }
}
const problemOf = (asked: Promise<unknown>): Promise<IntegrityError> =>
  asked.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => (error instanceof IntegrityError ? error : Promise.reject(error)),
  )
const message = { topic: 'question', text: 'Which door?' } as const
const no = (status: number, reason?: string) =>
  Response.json({ success: false, error: { code: 'x', message: 'y', reason } }, { status })

describe('a request of a page behind a link', () => {
  it('goes to the service beside the page, with the token in a header and nowhere else, under its key', async () => {
    const sentAt = '2026-11-20T09:00:00.000Z'
    const { call, requests } = asking(Response.json({ success: true, data: { sentAt } }))
    expect(await call.ask('invitations.contact', message, 'once-1')).toEqual({ sentAt })
    const [{ url, init } = { url: '', init: {} }] = requests
    expect(url).toBe('https://service.example/prefix/contact')
    expect(init).toMatchObject({ method: 'POST', redirect: 'manual', cache: 'no-store', body: JSON.stringify(message) })
    expect(init.headers).toMatchObject({ authorization: 'Bearer ivt_secret', 'idempotency-key': 'once-1' })
  })

  it('without a link carries no credential', async () => {
    const headers: (HeadersInit | undefined)[] = []
    const fetch = async (_url: string, init: RequestInit) => {
      headers.push(init.headers)
      return no(401)
    }
    const call = createLinkCall({ baseUrl: '', table, fetch })
    await problemOf(call.ask('invitations.contact', message))
    await problemOf(call.file('invitations.calendar', {}, 'text/calendar'))
    expect(headers).toHaveLength(2)
    for (const one of headers) expect(one).not.toHaveProperty('authorization')
  })
})

describe('a file', () => {
  const calendar = (headers: Record<string, string>) => new Response('BEGIN:VCALENDAR', { headers })

  it('comes with its name and its bytes', async () => {
    const disposition = 'attachment; filename="interview.ics"'
    const answer = calendar({ 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': disposition })
    const { call, requests } = asking(answer)
    const file = await call.file('invitations.calendar', {}, 'text/calendar')
    expect([file.name, await file.blob.text()]).toEqual(['interview.ics', 'BEGIN:VCALENDAR'])
    expect(requests[0]).toMatchObject({
      url: 'https://service.example/prefix/calendar',
      init: { method: 'POST', redirect: 'manual', headers: { authorization: 'Bearer ivt_secret' } },
    })
  })

  it.each([
    undefined,
    'attachment',
    'attachment; filename="../../etc/passwd"',
    'attachment; filename="a\\"b"',
    `attachment; filename="${'x'.repeat(300)}"`,
  ])('has a plain name when the service gives none that is one: %s', async (disposition) => {
    const headers = { 'content-type': 'text/calendar', ...(disposition ? { 'content-disposition': disposition } : {}) }
    const file = await asking(calendar(headers)).call.file('invitations.calendar', {}, 'text/calendar')
    expect(file.name).toBe('file')
  })

  it('that the service refuses is a problem with its reason', async () => {
    const { call } = asking(no(401, 'replaced'))
    expect(await problemOf(call.file('invitations.calendar', {}, 'text/calendar'))).toMatchObject({
      kind: 'unauthorized',
      extra: { reason: 'replaced' },
    })
    const busy = await problemOf(asking(no(503)).call.file('invitations.calendar', {}, 'text/calendar'))
    expect(busy).toMatchObject({ kind: 'later', cause: undefined })
    const taken = await problemOf(asking(no(409)).call.file('invitations.calendar', {}, 'text/calendar'))
    expect(taken.kind).toBe('conflict')
  })

  it('that is something else, of a network that wants a sign-in, is not saved as one', async () => {
    const page = new Response('<html>', { headers: { 'content-type': 'text/html' } })
    for (const answer of [
      page,
      new TypeError('Failed to fetch'),
      Response.json(null),
      Response.json({ success: true }),
    ])
      expect((await problemOf(asking(answer).call.file('invitations.calendar', {}, 'text/calendar'))).kind).toBe(
        'later',
      )
  })
})
