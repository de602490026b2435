import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test-support/server.ts'

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, redirect: 'manual' } as const

/** Whether or not the clients are built here. */
describe('an address that people may have a link to', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ limits: { pagesPerAddress: 12 } })
  })
  afterAll(() => server.stop())

  it.each([
    '/desk/reviews',
    '/desk/interviews/ses_01jd0000000000000000000000',
    '/account/',
    '/invitation/',
    '/requests/',
    '/desk/a%20mistyped%20address',
    '/desk/assets/room-of-yesterday.js',
    '/docs/nothing-here',
    '/invitation/nothing-here',
    '/nothing-here',
  ])('ends in a page for a browser: %s', async (path) => {
    const answer = await fetch(server.url + path, asBrowser)
    expect([200, 404, 503], await answer.clone().text()).toContain(answer.status)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(await answer.text()).toMatch(/<h1|<div|<script/)
  })

  it('is JSON to a program, and so is the interface to everybody', async () => {
    for (const [path, accept] of [
      ['/nothing-here', '*/*'],
      ['/v1/nothing-here', 'text/html'],
      ['/scim/v2/Nothing', 'text/html'],
    ] as const) {
      const answer = await fetch(server.url + path, { headers: { accept } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, expect.stringContaining('json')])
    }
  })

  it('says on a page that there were too many requests', async () => {
    const asked = await Promise.all(Array.from({ length: 13 }, () => fetch(`${server.url}/verify/`, asBrowser)))
    const refused = asked.find(({ status }) => status === 429)
    expect(refused?.headers.get('content-type')).toContain('text/html')
    expect(refused?.headers.get('retry-after')).toBeTruthy()
    expect(await refused?.text()).toContain('Too many attempts')
  })
})
