import { afterEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { reelsOf } from './reels.test-support.ts'

describe('the ceilings of reels', () => {
  let server: TestServer
  afterEach(() => server.stop())
  const t = reelsOf(() => server)

  it('are of bytes, and apart from those of requests, which reels use up none of', async () => {
    server = await startServer({ limits: { perCredential: 10, perKey: 40, answersPerCredential: 4 } })
    const s = await t.session()
    await t.sendStills(s, { count: 1 })
    await t.end(s)
    const owner = await t.owner()
    const reel = () => t.ofMember(s, 'screen:d1', owner, { from: 0 })
    for (let n = 0; n < 4; n++) {
      const { status, headers } = await reel()
      expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
        ...[200, '4', String(3 - n)],
      ])
    }
    const refused = await reel()
    expect([refused.status, refused.headers.get('ratelimit-scope')]).toEqual([429, 'key'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const answer = await fetch(`${server.url}/v1/sessions/${s.id}/evidence`, { headers: owner })
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, '10'])
    expect(answer.headers.get('ratelimit-remaining')).toBe('9')
  })

  it('are of the organisation too, whoever looks', async () => {
    server = await startServer({ limits: { answersPerOrg: 3 } })
    const s = await t.session()
    await t.sendStills(s, { count: 1 })
    await t.end(s)
    const owner = await t.owner()
    expect((await t.ofKey(s, 'screen:d1', { from: 0 })).status).toBe(200)
    expect((await t.ofMember(s, 'screen:d1', owner, { from: 0 })).status).toBe(200)
    expect((await t.ofKey(s, 'screen:d1', { from: 0 })).status).toBe(200)
    const refused = await t.ofMember(s, 'screen:d1', owner, { from: 0 })
    expect([refused.status, refused.headers.get('ratelimit-scope')]).toEqual([429, 'org'])
    expect((await t.ofKey(s, 'screen:d1', { from: 0 })).headers.get('ratelimit-scope')).toBe('org')
  })
})
