import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpOut } from './http-out.ts'
import { tlsCertificate, tlsKey } from './tls-fixture.test-support.ts'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const client = () => {
  const http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
  closers.push(() => http.close())
  return http
}

/** A server that writes these very pieces, one after the other, to everything that it is sent. */
const answering = async (pieces: readonly string[], after: (socket: Socket) => void = () => undefined) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    const answer = async (): Promise<void> => {
      for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve))
      after(socket)
    }
    socket.on('data', (sent) => {
      // A body that is sent by itself asks for nothing.
      if (sent.toString('latin1').startsWith('POST ')) void answer()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
const post = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}'), timeoutMs: 400 }
const patient = { ...post, timeoutMs: 30_000 }
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'
const byByte = (answer: string): string[] => answer.split('')

describe('an interim answer that was not asked for', () => {
  it.each([
    ['100 in one piece with the answer', [goOn + ok]],
    ['100 by itself', [goOn, ok]],
    ['100 byte by byte', [...byByte(goOn), ok]],
    ['several of them, with headers', [`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${goOn}`, `${goOn}${ok}`]],
    ['none', [ok]],
    ['none, byte by byte', byByte(ok)],
  ])('%s is passed over', async (_, pieces) => {
    const host = await answering(pieces)
    const http = client()
    // The connection is used again, and its next answer is looked at again.
    for (let time = 0; time < 2; time += 1)
      expect(await http.post(`http://${host}/`, patient)).toMatchObject({
        outcome: 'success',
        statusCode: 200,
        excerpt: 'ok',
      })
    const { statusCode, body } = await http.request(`http://${host}/`, {
      method: 'POST',
      headers: {},
      body: Buffer.from('x'),
      silenceMs: 30_000,
    })
    expect([statusCode, await text(body)]).toEqual([200, 'ok'])
  })

  it('leaves what looks like one within an answer as it is', async () => {
    const body = `${goOn}${goOn}`
    const host = await answering([`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`, goOn, goOn])
    const { outcome, excerpt } = await client().post(`http://${host}/`, patient)
    expect([outcome, excerpt?.length]).toEqual(['success', body.length])
  })

  it('is bounded', async () => {
    const host = await answering([`HTTP/1.1 100 Continue\r\nX-A: ${'a'.repeat(40_000)}`])
    expect(await client().post(`http://${host}/`, patient)).toMatchObject({ outcome: 'network_error' })
  })
})

describe('the status decides once it is there', () => {
  const end = (socket: Socket) => socket.end()
  it.each([
    ['a body that is cut short', ['HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok'], end],
    ['chunks without their end', ['HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'], end],
    ['a reset after the head', ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'], (s: Socket) => s.resetAndDestroy()],
    ['a chunk that is none', ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'], end],
    ['a head and nothing more', ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'], undefined],
  ])('%s is an arrival', async (_, pieces, after) => {
    const result = await client().post(`http://${await answering(pieces, after)}/`, post)
    expect(result).toMatchObject({ outcome: 'success' })
    expect(result).not.toHaveProperty('error')
  })

  it('a refusal whose body breaks off stays a refusal', async () => {
    const host = await answering(['HTTP/1.1 500 Oops\r\nContent-Length: 20\r\n\r\nno'], end)
    expect(await client().post(`http://${host}/`, post)).toMatchObject({ outcome: 'http_error', statusCode: 500 })
  })

  it('an interim answer is no answer', async () => {
    const host = await answering([goOn], end)
    const result = await client().post(`http://${host}/`, patient)
    expect(result).toMatchObject({ outcome: 'network_error', errorCode: 'UND_ERR_SOCKET' })
    expect(result).not.toHaveProperty('statusCode')
  })
})

describe('why there was no answer', () => {
  it('a host that does not speak HTTP', async () => {
    const host = await answering(['SSH-2.0-OpenSSH_9.2\r\n'])
    expect(await client().post(`http://${host}/`, patient)).toMatchObject({
      outcome: 'network_error',
      errorCode: 'HTTPParserError',
      error: 'the answer of the host is not valid HTTP',
    })
  })

  it('a port that does not speak TLS', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await client().post(`https://127.0.0.1:${port}/`, patient)).toMatchObject({
      outcome: 'network_error',
      error: 'the host does not speak TLS on this port',
    })
  })

  it('a host that speaks an old TLS only', async () => {
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const server = createTlsServer({ key: tlsKey, cert: tlsCertificate, ...old })
    server.on('tlsClientError', () => undefined)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await client().post(`https://127.0.0.1:${port}/`, patient)).toMatchObject({
      outcome: 'network_error',
      error: 'the host offers no version of TLS that is still safe (1.2 or 1.3)',
    })
  })

  it('a name that DNS does not know', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND', syscall: 'queryA' }))
    const http = createHttpOut({ allowPrivate: true, isInTransaction: () => false, lookup })
    closers.push(() => http.close())
    expect(await http.post('http://nobody.example.com/', patient)).toMatchObject({
      outcome: 'network_error',
      errorCode: 'ENOTFOUND',
      error: 'DNS knows no address of the host',
    })
  })
})
