import net from 'node:net'
import { bodyLimitOf, type EndpointSpec, endpoints } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { TestServer } from '../../test-support/server.ts'
import { until } from '../../test-support/until.ts'
import { useServers } from './pipeline.test-support.ts'

const start = useServers()

/** A connection of its own, with all that came back on it. */
const connect = async (server: TestServer) => {
  const { hostname, port } = new URL(server.url)
  const socket = net.connect(Number(port), hostname)
  let text = ''
  let isClosed = false
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, text: () => text, isClosed: () => isClosed }
}
const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`

describe('the body of a stranger', () => {
  it('is small wherever somebody signs in, joins by a code or follows a link', async () => {
    const open = (endpoints as readonly EndpointSpec[]).filter(
      ({ auth, body }) => body && auth.some(({ kind }) => ['anonymous', 'refresh', 'link'].includes(kind)),
    )
    expect(open.map(({ id }) => id)).toContain('auth.login')
    // What identity providers, payment providers and applicant tracking send is larger, and signed.
    const signed: Readonly<Record<string, number>> = {
      'sso.acs': 640 * 1024,
      'billing.webhooks': 256 * 1024,
      'ats.inbound': 256 * 1024,
    }
    for (const endpoint of open) {
      const isByLink = endpoint.auth.some(({ kind }) => kind === 'link')
      expect(bodyLimitOf(endpoint), endpoint.id).toBe(signed[endpoint.id] ?? (isByLink ? 65_536 : 16_384))
    }
    const server = await start()
    const login = (password: string) =>
      fetch(`${server.url}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'a@example.org', password }),
      })
    const refused = await login('x'.repeat(17_000))
    expect(refused.status).toBe(413)
    expect(refused.headers.get('connection')).toBe('close')
    // Counted like any other.
    expect(Number(refused.headers.get('ratelimit-remaining'))).toBe(1e6 - 1)
    expect(Number((await login('y')).headers.get('ratelimit-remaining'))).toBe(1e6 - 2)
  })

  it('is cut off when it stops coming, and its connection with it', async () => {
    const server = await start({ limits: { bodySeconds: 0.1 } })
    const stalled = await connect(server)
    stalled.socket.write(`${head('/v1/auth/login', 1000)}{"email":`)
    await until(() => stalled.isClosed())
    expect(stalled.text()).toContain('HTTP/1.1 408')
    expect(stalled.text()).toContain('the body came too slowly')
    const part = await connect(server)
    const bearer = `Authorization: Bearer ${server.orgs[0].sandboxKey}\r\n`
    part.socket.write(`${head('/v1/api/sessions', 500_000, bearer)}{"candidateLabel":"`)
    await until(() => part.isClosed())
    expect(part.text()).toContain('HTTP/1.1 408')
  })
})

describe('many bodies that come as slowly as they may', () => {
  it('take as much memory as has come, not as was announced, and let others through', async () => {
    const server = await start({ limits: { bodyBytesPerSecond: 1000, bodySeconds: 0.2 } })
    const bearer = `Authorization: Bearer ${server.orgs[0].sandboxKey}\r\n`
    const length = 1_000_000
    const open = await Promise.all(Array.from({ length: 200 }, () => connect(server)))
    const before = process.memoryUsage()
    for (const { socket } of open) socket.write(`${head('/v1/api/sessions', length, bearer)}{"candidateLabel":"`)
    const drip = setInterval(() => {
      for (const { socket } of open) socket.write('x'.repeat(1000))
    }, 50)
    const pastTheLook = Date.now() + 1000
    await until(() => Date.now() > pastTheLook)
    expect((await fetch(`${server.url}/v1/health`)).status).toBe(200)
    const after = process.memoryUsage()
    clearInterval(drip)
    expect(open.filter(({ isClosed }) => isClosed())).toHaveLength(0)
    // 200 announce 200 MB; 64 KiB are set aside for each.
    expect(after.arrayBuffers + after.rss - before.arrayBuffers - before.rss).toBeLessThan(100 * 2 ** 20)
    for (const { socket } of open) socket.destroy()
  })
})

describe('connections', () => {
  it('of one address are bounded, and one that closes makes room', async () => {
    const server = await start({ limits: { connectionsPerAddress: 2 } })
    const [first, second] = [await connect(server), await connect(server)]
    const third = await connect(server)
    await until(() => third.isClosed())
    expect(third.text()).toBe('')
    expect([first.isClosed(), second.isClosed()]).toEqual([false, false])
    first.socket.destroy()
    await until(async () => {
      const next = await connect(server)
      next.socket.write('GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      await until(() => next.isClosed())
      return next.text().startsWith('HTTP/1.1 200')
    })
    second.socket.destroy()
  })

  it('are bounded in all', async () => {
    const server = await start({ limits: { connections: 1 } })
    const first = await connect(server)
    const second = await connect(server)
    await until(() => second.isClosed())
    expect(first.isClosed()).toBe(false)
    first.socket.destroy()
  })
})
