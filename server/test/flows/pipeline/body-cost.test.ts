import { describe, expect, it } from 'vitest'
import { buildCaptureSession } from '../../test-support/capture-session.ts'
import { packedStill, sendPack } from '../../test-support/packs.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import type { TestServer } from '../../test-support/server.ts'
import { useServers } from './pipeline.test-support.ts'

const start = useServers()

/** Above what is too small to be counted. */
const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 1900 }, (_, n) => [`name${n}`, n])))

const post = (server: TestServer, key: string, body: string) =>
  fetch(`${server.url}/v1/api/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
const words = async (answer: Response) => ((await answer.json()) as { error: { message: string } }).error.message

describe('what the bodies of a credential cost', () => {
  it('bars further ones in the same minute, and not those of another organisation', async () => {
    const server = await start({ limits: { bodyMsPerCredential: 1 } })
    const [own, other] = server.orgs
    expect((await post(server, own.sandboxKey, wide)).status).toBe(400)
    const barred = await post(server, own.sandboxKey, wide)
    expect(barred.status).toBe(429)
    expect(barred.headers.get('ratelimit-scope')).toBe('key')
    expect(Number(barred.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await words(barred)).toContain('1 ms of processor time for parsing request bodies in 60 s is the ceiling')
    expect((await post(server, other.sandboxKey, wide)).status).toBe(400)
    // What is small is nothing beside the request itself.
    expect((await post(server, own.sandboxKey, '{"candidateLabel":"A"}')).status).toBe(201)
    server.clock.advance(60_000)
    expect((await post(server, own.sandboxKey, wide)).status).toBe(400)
  })

  it('counts against the organisation where they are refused', async () => {
    const server = await start({ limits: { refusedBodyMsPerOrg: 1 } })
    const [{ sandboxKey, liveKey }] = server.orgs
    expect((await post(server, sandboxKey, wide)).status).toBe(400)
    const barred = await post(server, liveKey, wide)
    expect(barred.status).toBe(429)
    expect(barred.headers.get('ratelimit-scope')).toBe('org')
    expect(await words(barred)).toContain('that were refused')
  })

  it('counts those of a stranger against their address', async () => {
    const server = await start({ limits: { bodyMsPerCredential: 1 } })
    const acs = () =>
      fetch(`${server.url}/v1/auth/sso/nobody/acs`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `x=${'y'.repeat(20_000)}`,
      })
    expect((await acs()).status).toBe(400)
    expect((await acs()).status).toBe(429)
  })

  it('counts the heads of a pack, though its bytes are not JSON', async () => {
    const server = await start({ limits: { bodyMsPerCredential: 1 } })
    const session = await buildCaptureSession(server)
    const metadata = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`name${n}`, n]))
    const items = await Promise.all(Array.from({ length: 4 }, () => packedStill(server, { metadata })))
    expect(await sendPack(session, items)).toHaveLength(4)
    expect(await refusalOf(sendPack(session, items))).toMatchObject({
      status: 429,
      message: expect.stringContaining('processor time for parsing request bodies'),
    })
  })

  it('does not count against the organisation where they are taken', async () => {
    const server = await start({ limits: { refusedBodyMsPerOrg: 1 } })
    const [{ sandboxKey }] = server.orgs
    const padded = `{"candidateLabel":"A"${' '.repeat(20_000)}}`
    for (let n = 0; n < 3; n++) expect((await post(server, sandboxKey, padded)).status).toBe(201)
  })
})
