import { request as httpRequest } from 'node:http'
import { type EvidenceType, evidenceTypeNames, evidenceTypes, maxSmallBytes } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCaptureSession, type CaptureSession } from '../../test-support/capture-session.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const MiB = 1024 * 1024
const times = 20

interface Answered {
  readonly status: number
  readonly text: string
}

/** By Node's own client, which sends on while it is answered. `keepAlive` off: it asks for the connection to be closed. */
const byHttp = (url: string, headers: Record<string, string>, body: Uint8Array, keepAlive: boolean) =>
  new Promise<Answered>((resolve, reject) => {
    const options = { method: 'POST', headers: { ...headers, 'content-length': `${body.length}` } }
    const sent = httpRequest(url, { ...options, ...(keepAlive ? {} : { agent: false }) }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
const byFetch = async (url: string, headers: Record<string, string>, body: Uint8Array<ArrayBuffer>) => {
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, text: await answer.text() }
}

describe('a body above its ceiling', () => {
  let server: TestServer
  let session: CaptureSession
  beforeAll(async () => {
    server = await startServer()
    session = await buildCaptureSession(server)
  })
  afterAll(() => server.stop())

  const clients = {
    fetch: byFetch,
    'http.request': (url: string, headers: Record<string, string>, body: Uint8Array) =>
      byHttp(url, headers, body, true),
    'http.request that closes': (url: string, headers: Record<string, string>, body: Uint8Array) =>
      byHttp(url, headers, body, false),
  }
  const headersOf = (token: string, type: string) => ({ authorization: `Bearer ${token}`, 'content-type': type })
  const stills = () => `${server.url}/v1/sessions/${session.id}/screenshots`

  describe.each(Object.entries(clients))('by %s', (_name, send) => {
    it.each([8.1, 9])('of %f MiB is answered in words, every time', async (size) => {
      const body = new Uint8Array(Math.ceil(size * MiB))
      for (let n = 0; n < times; n++) {
        const { status, text } = await send(stills(), headersOf(session.token, 'image/webp'), body)
        expect(status).toBe(413)
        expect(text).toContain(`the body is larger than ${8 * MiB} bytes`)
      }
    })

    it('of a caller who may not send it is refused in words, every time', async () => {
      const body = new Uint8Array(9 * MiB)
      for (let n = 0; n < times; n++) {
        const { status, text } = await send(stills(), headersOf(server.orgs[0].sandboxKey, 'image/webp'), body)
        expect(status).toBe(401)
        expect(text).toContain('unauthorized')
      }
    })
  })

  /** Where each type of evidence may come in one request. */
  const whole: Partial<Record<EvidenceType, string>> = {
    screenshot: 'screenshots',
    audio_chunk: 'audio-chunks',
    system_audio_chunk: 'system-audio-chunks/whole',
    camera_frame: 'camera/frames',
    camera_clip: 'camera/clips',
  }

  it.each(Object.entries(whole))('of a %s is refused at the bound of one request', async (type, path) => {
    const { contentTypes, maxBytes } = evidenceTypes[type as EvidenceType]
    const limit = Math.min(maxBytes, maxSmallBytes)
    const url = `${server.url}/v1/sessions/${session.id}/${path}`
    const { status, text } = await byFetch(url, headersOf(session.token, contentTypes[0]), new Uint8Array(limit + 1))
    expect([status, text]).toEqual([413, expect.stringContaining(`${limit} bytes`)])
  })

  it.each(evidenceTypeNames.filter((type) => evidenceTypes[type].lane !== 'side_view'))(
    'of a %s is refused at its own bound where it would come in parts',
    async (evidenceType) => {
      const { contentTypes, maxBytes } = evidenceTypes[evidenceType]
      const begin = (sizeBytes: number) =>
        byFetch(
          `${server.url}/v1/sessions/${session.id}/evidence`,
          headersOf(session.token, 'application/json'),
          new TextEncoder().encode(
            JSON.stringify({
              clientId: `${evidenceType}-${sizeBytes}`,
              evidenceType,
              sizeBytes,
              sha256: 'a'.repeat(64),
              contentType: contentTypes[0],
              durationMs: 1000,
              codec: 'opus',
              capturedAt: new Date(server.clock.now()).toISOString(),
            }),
          ) as Uint8Array<ArrayBuffer>,
        )
      const refused = await begin(maxBytes + 1)
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('sizeBytes')])
      expect((await begin(maxBytes)).status).toBe(201)
    },
  )
})
