import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { IntegrityError } from '@integrity/client/errors'
import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { until } from '../../../test/test-support/until.ts'
import { findProgram } from '../../shared/child-process.ts'
import { createPinnedNetwork, type PinnedNetwork } from './pinned-fetch.ts'
import { assertPinned, PinMismatch, type Pinning, pinMismatchOf } from './pins.ts'
import { type Certificate, makeCertificate, pinByOpenssl } from './test-support/certificates.ts'

const pinTo = (...spkiSha256: string[]): Pinning => ({ enforced: true, pins: [{ host: 'localhost', spkiSha256 }] })

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port
const listening = (server: NetServer): Promise<void> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

describe.skipIf(findProgram('openssl') === undefined)('a pinned network', () => {
  let folder: string
  let authority: Certificate
  let one: Certificate
  let two: Certificate
  const cleanups: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pinning-'))
    authority = await makeCertificate(folder, { name: 'Test authority', isAuthority: true })
    one = await makeCertificate(folder, { name: 'localhost', by: authority })
    two = await makeCertificate(folder, { name: 'localhost', by: authority })
  })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** An https server that greets, and speaks WebSocket; `requests` counts what reached it. */
  const serve = async ({ key, cert }: Pick<Certificate, 'key' | 'cert'>) => {
    const seen = { requests: 0, connections: 0, resumed: 0 }
    const server: Server = createServer({ key, cert }, (_request, response) => {
      seen.requests += 1
      response.setHeader('content-type', 'application/json')
      response.end('{"success":true,"data":{"status":"ok"},"requestId":"req_1"}')
    })
    server.on('connection', () => {
      seen.connections += 1
    })
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.isSessionReused()) seen.resumed += 1
    })
    const sockets = new WebSocketServer({ server })
    sockets.on('connection', (socket) => {
      seen.requests += 1
      socket.send('hello')
    })
    await listening(server)
    cleanups.push(async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    })
    const url = `https://localhost:${portOf(server)}`
    return { seen, server, url, socketUrl: url.replace('https', 'wss') }
  }

  const network = (pinning: Pinning | undefined, onMismatch?: (mismatch: PinMismatch) => void): PinnedNetwork => {
    const made = createPinnedNetwork({ pinning, ca: authority.cert, ...(onMismatch ? { onMismatch } : {}) })
    cleanups.push(() => made.close())
    return made
  }

  const get = async (from: PinnedNetwork, url: string): Promise<number> => {
    const response = await from.fetch(url, { headers: { authorization: 'Bearer sst_secret' } })
    await response.text()
    return response.status
  }

  const messageOver = (from: PinnedNetwork, url: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = from.connectWebSocket(url, { headers: { authorization: 'Bearer sst_secret' } })
      cleanups.push(async () => socket.terminate())
      socket.once('message', (data: Buffer) => resolve(data.toString()))
      socket.once('error', reject)
    })

  it('names keys as openssl does', async () => {
    expect(one.pin).toBe(await pinByOpenssl(folder, one))
  })

  it("reaches the server that shows a pinned key: its own, or its authority's, or the one that comes next", async () => {
    const { url, socketUrl } = await serve(two)
    for (const pins of [[two.pin], [authority.pin], [one.pin, two.pin]]) {
      const pinned = network(pinTo(...pins))
      expect(await get(pinned, url)).toBe(200)
      expect(await messageOver(pinned, socketUrl)).toBe('hello')
    }
  })

  it('finds the key of an authority in the middle', async () => {
    const middle = await makeCertificate(folder, { name: 'Middle', by: authority, isAuthority: true })
    const leaf = await makeCertificate(folder, { name: 'localhost', by: middle })
    const { url } = await serve({ key: leaf.key, cert: `${leaf.cert}${middle.cert}` })
    for (const { pin } of [leaf, middle, authority]) expect(await get(network(pinTo(pin)), url)).toBe(200)
    await expect(get(network(pinTo(one.pin)), url)).rejects.toThrow(PinMismatch)
  })

  it('refuses a server with another key, verified though it is, and tells what to do', async () => {
    const { url, socketUrl, seen } = await serve(two)
    const told: PinMismatch[] = []
    const pinned = network(pinTo(one.pin), (mismatch) => told.push(mismatch))
    const error: unknown = await get(pinned, url).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(PinMismatch)
    expect(error).toMatchObject({ host: 'localhost', fault: 'other_key', shown: [two.pin, authority.pin] })
    expect((error as Error).message).toMatch(/nothing was sent.*try another network/)
    await expect(messageOver(pinned, socketUrl)).rejects.toThrow(PinMismatch)
    expect(seen).toMatchObject({ connections: 2, requests: 0 })
    expect(told).toHaveLength(2)
  })

  it('sends not one byte of a request to another server', async () => {
    let received = 0
    let ended = 0
    const server = createTlsServer({ key: two.key, cert: two.cert }, (socket) => {
      socket.on('data', (bytes) => {
        received += bytes.length
      })
      socket.on('error', () => undefined)
    })
    server.on('connection', (socket) => {
      socket.on('close', () => {
        ended += 1
      })
    })
    await listening(server)
    cleanups.push(async () => server.close())
    const pinned = network(pinTo(one.pin))
    await expect(get(pinned, `https://localhost:${portOf(server)}`)).rejects.toThrow(PinMismatch)
    await expect(messageOver(pinned, `wss://localhost:${portOf(server)}`)).rejects.toThrow(PinMismatch)
    await expect(messageOver(pinned, `https://localhost:${portOf(server)}`)).rejects.toThrow(PinMismatch)
    await until('the connections to end', () => ended === 3)
    expect(received).toBe(0)
  })

  it('is seen through the client as a mismatch, not as an outage alone', async () => {
    const { url } = await serve(two)
    const client = createClient({ baseUrl: url, fetch: network(pinTo(one.pin)).fetch })
    const error: unknown = await client.call('health.live').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(IntegrityError)
    expect(pinMismatchOf(error)).toMatchObject({ host: 'localhost' })
    const pinned = createClient({ baseUrl: url, fetch: network(pinTo(two.pin)).fetch })
    expect((await pinned.call('health.live')).data.status).toBe('ok')
  })

  it('carries bytes as the uploader sends them, and gives a request up when it is told to', async () => {
    const { url, server } = await serve(one)
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/silent') return
      request.pipe(response)
    })
    const pinned = network(pinTo(one.pin))
    const bytes = randomBytes(100_000)
    const headers = { 'content-type': 'application/octet-stream' }
    const echoed = await pinned.fetch(url, { method: 'POST', headers, body: bytes, redirect: 'manual' })
    expect(Buffer.from(await echoed.arrayBuffer()).equals(bytes)).toBe(true)
    const given = new AbortController()
    const silent = pinned.fetch(`${url}/silent`, { signal: given.signal })
    given.abort(new Error('the agent is closing'))
    await expect(silent).rejects.toThrow('the agent is closing')
  })

  it('reaches any verified server once the policy lifts pinning, and again only the pinned when it returns', async () => {
    const { url, socketUrl } = await serve(two)
    const pinned = network(pinTo(one.pin))
    await expect(get(pinned, url)).rejects.toThrow(PinMismatch)
    pinned.setPinning({ ...pinTo(one.pin), enforced: false })
    expect(await get(pinned, url)).toBe(200)
    expect(await messageOver(pinned, socketUrl)).toBe('hello')
    pinned.setPinning(pinTo(one.pin))
    await expect(get(pinned, url)).rejects.toThrow(PinMismatch)
    await expect(messageOver(pinned, socketUrl)).rejects.toThrow(PinMismatch)
  })

  it('does not pin hosts that the policy does not name', async () => {
    const { url } = await serve(two)
    const elsewhere = { enforced: true, pins: [{ host: 'example.org', spkiSha256: [one.pin] }] }
    expect(await get(network(elsewhere), url)).toBe(200)
    expect(await get(network(undefined), url)).toBe(200)
    await expect(get(network(pinTo(one.pin)), url.replace('localhost', 'LOCALHOST'))).rejects.toThrow(PinMismatch)
  })

  it('still refuses a certificate that nobody vouches for, pinned or not', async () => {
    const self = await makeCertificate(folder, { name: 'localhost' })
    const { url, socketUrl, seen } = await serve(self)
    const pinned = network(pinTo(self.pin))
    await expect(get(pinned, url)).rejects.toThrow('fetch failed')
    await expect(messageOver(pinned, socketUrl)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(seen.requests).toBe(0)
  })

  it('checks every new connection: a server that comes back with another key is refused', async () => {
    const { url, seen, server } = await serve(one)
    const pinned = network(pinTo(one.pin))
    expect(await get(pinned, url)).toBe(200)
    server.setSecureContext({ key: two.key, cert: two.cert })
    server.closeAllConnections()
    await until('the connection to be gone', async () => {
      const error: unknown = await get(pinned, url).catch((caught: unknown) => caught)
      return error instanceof PinMismatch
    })
    server.setSecureContext({ key: one.key, cert: one.cert })
    expect(await get(pinned, url)).toBe(200)
    expect(seen.resumed).toBe(0)
  })

  it('never resumes a TLS session, over https and over WebSocket', async () => {
    const { url, socketUrl, seen, server } = await serve(one)
    const pinned = network(pinTo(authority.pin))
    for (let i = 0; i < 3; i += 1) {
      expect(await messageOver(pinned, socketUrl)).toBe('hello')
      // A connection that was just cut may still be tried; a resumed session would be a mismatch.
      await until('a new connection', () =>
        get(pinned, url).then(
          () => true,
          (error: unknown) => {
            if (error instanceof PinMismatch) throw error
            return false
          },
        ),
      )
      server.closeAllConnections()
    }
    expect(seen.connections).toBeGreaterThanOrEqual(6)
    expect(seen.resumed).toBe(0)
  })

  it('refuses a resumed session, whose certificates nobody can look at any more', async () => {
    const { server } = await serve(one)
    const dial = (session?: Buffer): Promise<TLSSocket> =>
      new Promise((resolve, reject) => {
        const options = { port: portOf(server), host: 'localhost', ca: authority.cert, maxVersion: 'TLSv1.2' } as const
        const socket = tlsConnect({ ...options, ...(session ? { session } : {}) }, () => resolve(socket))
        cleanups.push(async () => socket.destroy())
        socket.on('error', reject)
      })
    const first = await dial()
    const session = first.getSession()
    const resumed = await dial(session)
    expect(resumed.isSessionReused()).toBe(true)
    expect(() => assertPinned(first, 'localhost', [one.pin])).not.toThrow()
    expect(() => assertPinned(resumed, 'localhost', [one.pin])).toThrow(PinMismatch)
  })

  it('does not count a pinned certificate that a server merely sends along', async () => {
    // Trusted by this computer, as a company's inspection root is; it signs whatever it likes.
    const inspector = await makeCertificate(folder, { name: 'Inspector', isAuthority: true })
    const noKeyIds = ['authorityKeyIdentifier=none', 'subjectKeyIdentifier=none']
    const leaf = await makeCertificate(folder, { name: 'localhost', by: inspector, extensions: noKeyIds })
    // By their names alone these lead from the leaf to the pinned authority.
    const pretended = await makeCertificate(folder, { name: 'Test authority', isAuthority: true })
    const between = await makeCertificate(folder, {
      name: 'Inspector',
      by: pretended,
      isAuthority: true,
      extensions: noKeyIds,
    })
    const { server, url } = await serve({ key: leaf.key, cert: `${leaf.cert}${between.cert}${authority.cert}` })
    const ca = [inspector.cert, authority.cert]
    const byName = await new Promise<string[]>((resolve, reject) => {
      const socket = tlsConnect({ port: portOf(server), host: 'localhost', ca }, () => {
        const names: string[] = []
        let next = socket.getPeerCertificate(true)
        while (next?.subject && !names.includes(String(next.subject.CN))) {
          names.push(String(next.subject.CN))
          next = next.issuerCertificate
        }
        socket.destroy()
        resolve(names)
      })
      socket.on('error', reject)
    })
    expect(byName).toEqual(['localhost', 'Inspector', 'Test authority'])
    const pinned = createPinnedNetwork({ pinning: pinTo(authority.pin), ca })
    cleanups.push(() => pinned.close())
    await expect(get(pinned, url)).rejects.toThrow(PinMismatch)
  })

  it('has nothing to pin on this very computer without https, and does not call a pinned host without it', async () => {
    const server = createHttpServer((_request, response) => response.end('hello'))
    new WebSocketServer({ server }).on('connection', (socket) => socket.send('hello'))
    await listening(server)
    cleanups.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    const pinning = {
      enforced: true,
      pins: ['localhost', 'example.org'].map((host) => ({ host, spkiSha256: [one.pin] })),
    }
    const pinned = network(pinning)
    expect(await get(pinned, `http://localhost:${portOf(server)}`)).toBe(200)
    expect(await messageOver(pinned, `ws://localhost:${portOf(server)}`)).toBe('hello')
    await expect(get(pinned, 'http://example.org')).rejects.toMatchObject({ fault: 'not_encrypted' })
    expect(() => pinned.connectWebSocket('ws://example.org', {})).toThrow(/https only/)
  })

  it('gives up on a server that takes the connection and says nothing', async () => {
    const silent = createNetServer()
    await listening(silent)
    const pinned = createPinnedNetwork({ connectTimeoutMs: 100 })
    cleanups.push(
      () => pinned.close(),
      async () => silent.close(),
    )
    const port = portOf(silent)
    const failure: unknown = await get(pinned, `https://localhost:${port}`).catch((caught: unknown) => caught)
    expect(failure).toMatchObject({ cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } })
    await expect(messageOver(pinned, `wss://localhost:${port}`)).rejects.toThrow('no answer from localhost')
  })

  it('is a network whose sockets are those of ws', async () => {
    const { socketUrl } = await serve(one)
    const socket = network(pinTo(one.pin)).connectWebSocket(socketUrl, { perMessageDeflate: false })
    expect(socket).toBeInstanceOf(WebSocket)
    await new Promise((resolve) => {
      socket.once('open', resolve)
    })
    socket.terminate()
  })
})
