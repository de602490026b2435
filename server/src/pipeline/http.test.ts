import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test/test-support/server.ts'
import { scheduleSession } from '../../test/test-support/world.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const ask = (path: string, method = 'GET') =>
  fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${server.orgs[0].sandboxKey}`, 'accept-encoding': 'identity' },
  })

describe('a JSON answer', () => {
  it.each(['plain', 'é', 'Ærø – 東京', '🎧'])('brings %s whole, and its length in bytes', async (externalId) => {
    const { id } = await scheduleSession(server.client(server.orgs[0].sandboxKey), { externalId })
    const answer = await ask(`/v1/api/sessions/${id}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(JSON.parse(bytes.toString('utf8'))).toMatchObject({ success: true, data: { id, externalId } })
  })

  it('to HEAD has the headers of GET and no body', async () => {
    const [got, head] = [await ask('/v1/api/me'), await ask('/v1/api/me', 'HEAD')]
    // Whether the connection stays open is between it and the client.
    const ofConnection = new Set(['connection', 'keep-alive'])
    const names = ({ headers }: Response) => [...headers.keys()].filter((name) => !ofConnection.has(name)).sort()
    expect(head.status).toBe(200)
    expect(names(head)).toEqual(names(got))
    expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'))
    expect(await head.text()).toBe('')
  })

  it('is the same whether the address is written as a path or in full', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const key = server.orgs[0].sandboxKey
    socket.write(
      `GET ${server.url}/v1/api/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    )
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    expect(text.split('\r\n\r\n')[1]).toBe(await (await ask('/v1/api/me')).text())
  })
})

describe('a client that goes away', () => {
  it('before its answers are written takes nobody else with it', async () => {
    const request = `GET /v1/api/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.orgs[0].sandboxKey}\r\n\r\n`
    const gone = Array.from({ length: 20 }, async () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(request.repeat(20), () => socket.resetAndDestroy())
      await once(socket, 'close')
    })
    await Promise.all(gone)
    expect((await ask('/v1/api/me')).status).toBe(200)
  })
})
