import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { buildConnector } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpOut } from './http-out.ts'
import { tlsCertificate, tlsKey } from './tls-fixture.test-support.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const listen = async (listener: RequestListener): Promise<{ url: string; server: Server }> => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

const client = () => {
  const http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
  closers.push(() => http.close())
  return http
}

const request = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') }

describe('post', () => {
  it('sends the bytes and headers as they are and reports the answer', async () => {
    let seen: unknown
    const { url } = await listen((req, res) => {
      void text(req).then((body) => {
        seen = { method: req.method, url: req.url, type: req.headers['content-type'], body }
        res.writeHead(202).end('taken')
      })
    })
    const result = await client().post(`${url}/in?x=1`, request)
    expect(result).toMatchObject({ outcome: 'success', statusCode: 202, excerpt: 'taken' })
    expect(result.durationMs).toBeTypeOf('number')
    expect(seen).toEqual({ method: 'POST', url: '/in?x=1', type: 'application/json', body: '{"a":1}' })
  })

  it('does not follow a redirect', async () => {
    const paths: (string | undefined)[] = []
    const { url } = await listen((req, res) => {
      paths.push(req.url)
      res.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(await client().post(`${url}/in`, request)).toMatchObject({ outcome: 'http_error', statusCode: 307 })
    expect(paths).toEqual(['/in'])
  })

  it('keeps 1 KiB of a 50 MB answer and drops the connection long before its end', async () => {
    let sent = 0
    let closed: Promise<void> | undefined
    const { url } = await listen((_req, res) => {
      const socket = res.socket as Socket
      closed = new Promise((resolve) => {
        socket.on('close', () => {
          sent = socket.bytesWritten
          resolve()
        })
      })
      const block = Buffer.alloc(64 * 1024, 'x')
      let left = 800
      const push = () => {
        while (left > 0 && !res.destroyed) {
          left -= 1
          if (!res.write(block)) {
            res.once('drain', push)
            return
          }
        }
        if (!res.destroyed) res.end()
      }
      push()
    })
    const result = await client().post(url, request)
    expect(result).toMatchObject({ outcome: 'success', statusCode: 200, excerpt: 'x'.repeat(1024) })
    await closed
    expect(sent).toBeLessThan(25 * 1024 * 1024)
  })

  it('times out when the receiver hangs before its headers', async () => {
    const { url } = await listen(() => undefined)
    const result = await client().post(url, { ...request, timeoutMs: 100 })
    expect(result).toMatchObject({
      outcome: 'timeout',
      errorCode: 'DEADLINE',
      error: 'the host did not answer in time',
    })
    expect(result.statusCode).toBeUndefined()
  })

  it('takes the status of an answer that drips on beyond the deadline, and keeps what came', async () => {
    const { url } = await listen((_req, res) => {
      res.writeHead(200)
      const timer = setInterval(() => res.write('.'), 20)
      res.on('close', () => clearInterval(timer))
    })
    const result = await client().post(url, { ...request, timeoutMs: 300 })
    expect(result).toMatchObject({ outcome: 'success', statusCode: 200 })
    expect(result.error).toBeUndefined()
    expect(result.excerpt).toMatch(/^\.+$/)
  })

  it('times out when the name server does not answer', async () => {
    const http = createHttpOut({
      allowPrivate: true,
      isInTransaction: () => false,
      lookup: () => new Promise(() => undefined),
    })
    expect(await http.post('http://silent.example.com/', { ...request, timeoutMs: 100 })).toMatchObject({
      outcome: 'timeout',
    })
  })

  it('reports a refused and a reset connection as network errors', async () => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const http = client()
    expect(await http.post(`http://127.0.0.1:${port}/`, request)).toMatchObject({ outcome: 'network_error' })
    server.close()
    await once(server, 'close')
    expect(await http.post(`http://127.0.0.1:${port}/`, request)).toMatchObject({
      outcome: 'network_error',
      errorCode: 'ECONNREFUSED',
      error: 'the host refuses connections on this port',
    })
  })

  it('rejects with the reason when the caller gives up', async () => {
    const stop = new AbortController()
    const { url } = await listen(() => stop.abort(new Error('shutting down')))
    await expect(client().post(url, { ...request, signal: stop.signal })).rejects.toThrow('shutting down')
  })

  it('lets posts that hang hold up no other, to the same origin or to another one', async () => {
    const partly = await listen((req, res) => {
      if (req.url === '/quick') res.end('ok')
    })
    const quick = await listen((_req, res) => res.end('ok'))
    const http = client()
    const stop = new AbortController()
    const stuck = Array.from({ length: 100 }, () =>
      http.post(`${partly.url}/hangs`, { ...request, signal: stop.signal }).catch(() => 'given up'),
    )
    expect(await http.post(`${partly.url}/quick`, request)).toMatchObject({ outcome: 'success' })
    expect(await http.post(quick.url, request)).toMatchObject({ outcome: 'success' })
    stop.abort()
    expect(new Set(await Promise.all(stuck))).toEqual(new Set(['given up']))
  })

  it('opens no more than 256 connections to an origin', async () => {
    let open = 0
    const hanging = await listen(() => undefined)
    hanging.server.on('connection', () => {
      open += 1
    })
    const http = client()
    const stuck = Array.from({ length: 300 }, () => http.post(hanging.url, { ...request, timeoutMs: 1500 }))
    // Looked at before the first gives up, because its end makes room for one that waits.
    await Promise.race(stuck)
    const atOnce = open
    const outcomes = (await Promise.all(stuck)).map((result) => result.outcome)
    // On a busy machine some may not even be connected by then.
    expect(outcomes.filter((outcome) => outcome !== 'timeout' && outcome !== 'network_error')).toEqual([])
    expect(atOnce).toBeLessThanOrEqual(256)
    expect(atOnce).toBeGreaterThan(8)
  })

  it('reports a certificate that nobody vouches for as a network error and sends nothing', async () => {
    let requests = 0
    const server = createTlsServer({ key: tlsKey, cert: tlsCertificate }, () => {
      requests += 1
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    expect(await client().post(`https://127.0.0.1:${port}/`, request)).toMatchObject({
      outcome: 'network_error',
      errorCode: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      error: 'the certificate of the host is self-signed',
    })
    expect(requests).toBe(0)
  })

  it('follows no link of a chain of redirects', async () => {
    const paths: (string | undefined)[] = []
    const { url } = await listen((req, res) => {
      paths.push(req.url)
      res.writeHead(302, { location: `${req.url}x` }).end()
    })
    for (const status of [1, 2, 3])
      expect(await client().post(`${url}/${status}`, request)).toMatchObject({ outcome: 'http_error', statusCode: 302 })
    expect(paths).toEqual(['/1', '/2', '/3'])
  })

  it('uses its connections again', async () => {
    let connections = 0
    const { url, server } = await listen((_req, res) => res.end('ok'))
    server.on('connection', () => {
      connections += 1
    })
    const http = client()
    for (let n = 0; n < 10; n++) await http.post(url, request)
    expect(connections).toBeLessThanOrEqual(2)
  })

  it('verifies the name in the certificate although it dials the address', async () => {
    const server = createTlsServer({ key: tlsKey, cert: tlsCertificate }, (req, res) => res.end(req.headers.host))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const http = createHttpOut({
      allowPrivate: true,
      isInTransaction: () => false,
      lookup: async () => ['127.0.0.1'],
      connectBase: buildConnector({ ca: tlsCertificate, allowH2: false }),
    })
    closers.push(() => http.close())
    expect(await http.post(`https://hooks.example.com:${port}/`, request)).toMatchObject({
      outcome: 'success',
      excerpt: `hooks.example.com:${port}`,
    })
    for (const host of ['other.example.com', '127.0.0.1']) {
      expect(await http.post(`https://${host}:${port}/`, request)).toMatchObject({
        outcome: 'network_error',
        errorCode: 'ERR_TLS_CERT_ALTNAME_INVALID',
        error: 'the certificate was issued for another name',
      })
    }
  })
})
