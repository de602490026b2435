import { createClient } from '@integrity/client/every-endpoint'
import { Agent, fetch as send } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { buildCaptureSession, film, iso, newClientId, sha256 } from '../../test-support/capture-session.ts'
import { socketUrl } from '../../test-support/live-client.ts'
import { type Nginx, startNginx } from '../../test-support/nginx.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { openStream } from '../../test-support/sse-client.ts'

const MiB = 1024 * 1024

describe('behind the nginx of the example', () => {
  let server: TestServer
  let nginx: Nginx
  let agent: Agent
  beforeAll(async () => {
    server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
    nginx = await startNginx(server.url)
    // Trusted as it is, for a name that it does not carry.
    agent = new Agent({ connect: { ca: nginx.certificate, checkServerIdentity: () => undefined } })
  })
  afterAll(async () => {
    await agent.close()
    await nginx.stop()
    await server.stop()
  })
  const through = ((url: string, init: object) => send(url, { ...init, dispatcher: agent })) as unknown as typeof fetch
  const client = (token: string) => createClient({ baseUrl: nginx.url, token, fetch: through })

  it('is ready, and answers carry their request id', async () => {
    const answer = await through(`${nginx.url}/v1/health/ready`, {})
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, expect.stringMatching(/^req_/)])
  })

  it('an event comes while its stream stays open', async () => {
    const { sandboxKey } = server.orgs[0]
    const stream = await openStream(
      `${nginx.url}/v1/api/events/stream`,
      { authorization: `Bearer ${sandboxKey}` },
      through,
    )
    expect(stream.status).toBe(200)
    const { data } = await client(sandboxKey).call('sessions.create', { body: {} })
    const [event] = await stream.seen(1)
    expect(event).toContain(data.id)
    stream.close()
    await stream.ended
  })

  it('a live socket is let through', async () => {
    const { id, token } = await buildCaptureSession(server)
    const socket = new WebSocket(socketUrl(nginx.url, id), {
      headers: { authorization: `Bearer ${token}` },
      ca: nginx.certificate,
      // No objection.
      checkServerIdentity: () => false,
    })
    const message = await new Promise<string>((resolve, reject) => {
      socket.once('message', (data: Buffer) => resolve(data.toString()))
      socket.once('error', reject)
    })
    expect(JSON.parse(message)).toHaveProperty('type')
    socket.terminate()
  })

  it('the largest part goes through without lying on its disk', async () => {
    const session = await buildCaptureSession(server)
    const bytes = film(16 * MiB)
    const uploader = client(session.token)
    const { data } = await uploader.call('agent.uploads.begin', {
      params: { id: session.id },
      body: {
        clientId: newClientId(),
        evidenceType: 'screen_clip',
        contentType: 'video/webm',
        durationMs: 10_000,
        sizeBytes: bytes.length,
        sha256: sha256(bytes),
        partSize: 16 * MiB,
        metadata: { displayId: 'display-1' },
        capturedAt: iso(server.clock.now()),
      },
    })
    if (!('uploadId' in data)) throw new Error('it is here already')
    const params = { uploadId: data.uploadId }
    await uploader.call('agent.uploads.part', {
      params,
      raw: { bytes, contentType: 'application/octet-stream', meta: { index: 0, sha256: sha256(bytes) } },
    })
    const { data: done } = await uploader.call('agent.uploads.complete', { params })
    expect(done).toMatchObject({ sizeBytes: bytes.length })
  })
})
