import { createHash } from 'node:crypto'
import { open, stat, truncate } from 'node:fs/promises'
import { createClient } from '@integrity/client/every-endpoint'
import { builtInRoles } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import {
  auditOf,
  film,
  iso,
  newClientId,
  picture,
  sendStill,
  sha256,
  storedFiles,
} from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bytesOf } from './downloads.test-support.ts'
import { evidenceOf } from './evidence.test-support.ts'

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const { session, download } = evidenceOf(() => server)

  describe('evidence.content', () => {
    const stored = async (size: number) => {
      const s = await session({ config: { camera: { clips: true } } })
      const bytes = film(size)
      const meta = {
        clientId: newClientId(),
        capturedAt: iso(server.clock.now()),
        durationMs: 1000,
        sha256: sha256(bytes),
      }
      const raw = { bytes, contentType: 'video/webm', meta }
      const { data } = await s.agent.call('agent.cameraClips.upload', { params: { id: s.id }, raw })
      return { s, bytes, id: data.id, url: await download(s, data.id) }
    }

    it('sends an attachment that nobody may keep or sniff', async () => {
      const { bytes, id, url } = await stored(200_000)
      const answer = await bytesOf(url)
      expect(answer.status).toBe(200)
      expect(answer.bytes.equals(bytes)).toBe(true)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'video/webm',
        'content-length': '200000',
        'content-disposition': `attachment; filename="camera-clip-${id}.webm"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
      })
    })

    it('says the hash of what an answer holds and of the whole file, as RFC 9530 has it', async () => {
      const { bytes, url } = await stored(1000)
      const whole = `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
      const digestsOf = ({ headers }: { headers: Headers }) => [
        headers.get('content-digest'),
        headers.get('repr-digest'),
      ]
      expect(digestsOf(await bytesOf(url))).toEqual([whole, whole])
      expect(digestsOf(await bytesOf(url, { range: 'bytes=0-9' }))).toEqual([null, whole])
      expect(digestsOf(await fetch(url, { method: 'HEAD' }))).toEqual([null, whole])
    })

    it('ends with the key that asked for it, or with its secret', async () => {
      const { s, id, url } = await stored(100)
      const member = { params: { orgId: s.orgId }, headers: await portalCookie(server, 'owner') }
      const { environment } = s
      const body = { label: 'Reader', environment, scopes: ['evidence:read'] as const }
      const ended = async (end: 'portal.apiKeys.revoke' | 'portal.apiKeys.rotate') => {
        const made = await server
          .client()
          .call('portal.apiKeys.create', { ...member, body: { ...body, scopes: [...body.scopes] } })
        const link = await download({ ...s, api: server.client(made.data.token) }, id)
        expect((await bytesOf(link)).status).toBe(200)
        server.clock.advance(1)
        await server.client().call(end, { ...member, params: { ...member.params, keyId: made.data.id } })
        return bytesOf(link)
      }
      for (const end of ['portal.apiKeys.revoke', 'portal.apiKeys.rotate'] as const) {
        const { status, bytes } = await ended(end)
        expect([status, bytes.toString()]).toEqual([401, expect.stringContaining('the key that asked')])
      }
      expect((await bytesOf(url)).status).toBe(200)
    })

    it('sends one range, also over the borders of sealed chunks', async () => {
      const { bytes, url } = await stored(200_000)
      const ranges: [string, number, number][] = [
        ['bytes=0-0', 0, 1],
        ['bytes=65530-65545', 65_530, 65_546],
        ['bytes=131072-', 131_072, 200_000],
        ['bytes=-7', 199_993, 200_000],
        ['bytes=199999-300000', 199_999, 200_000],
      ]
      for (const [range, start, end] of ranges) {
        const answer = await bytesOf(url, { range })
        expect(answer.status).toBe(206)
        expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/200000`)
        expect(answer.headers.get('content-length')).toBe(String(end - start))
        expect(answer.bytes.equals(bytes.subarray(start, end))).toBe(true)
      }
    })

    it('answers 416 with the size beyond the end, and the whole for what is not one range', async () => {
      const { bytes, url } = await stored(1000)
      const beyond = await bytesOf(url, { range: 'bytes=1000-' })
      expect(beyond.status).toBe(416)
      expect(beyond.headers.get('content-range')).toBe('bytes */1000')
      for (const range of ['bytes=0-1,5-6', 'bytes=9-1', 'lines=1-2']) {
        const answer = await bytesOf(url, { range })
        expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true])
      }
    })

    it('honours If-Range: the range of the same content, the whole of another', async () => {
      const { url } = await stored(1000)
      const etag = (await bytesOf(url)).headers.get('etag')!
      expect((await bytesOf(url, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
      expect((await bytesOf(url, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
    })

    it('answers HEAD with the headers alone', async () => {
      const { url } = await stored(1234)
      const answer = await fetch(url, { method: 'HEAD' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-length')).toBe('1234')
      expect((await answer.arrayBuffer()).byteLength).toBe(0)
    })

    it('is audited with who, which and what range', async () => {
      const { s, id, url } = await stored(1000)
      await bytesOf(url, { range: 'bytes=10-19' })
      const trail = await auditOf(server, s)
      expect(trail.map(({ action }) => action)).toContain('evidence.download_link_created')
      expect(trail.at(-1)).toEqual({
        action: 'evidence.downloaded',
        target: id,
        actor: 'download',
        payload: { start: 10, end: 20, sizeBytes: 1000 },
      })
    })

    it('refuses a tampered, a foreign and an expired token', async () => {
      const { s, id, url } = await stored(1000)
      const other = await sendStill(server, s)
      const token = new URL(url).searchParams.get('token')!
      const at = `${server.url}/v1/api/evidence`
      const middle = Math.floor(token.length / 2)
      const flipped = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1)
      expect((await bytesOf(`${at}/${id}/content?token=${flipped}`)).status).toBe(401)
      expect((await bytesOf(`${at}/${id}/content`)).status).toBe(401)
      expect((await bytesOf(`${at}/${other.data.id}/content?token=${token}`)).status).toBe(404)
      server.clock.advance(5 * 60_000 - 1)
      expect((await bytesOf(url)).status).toBe(200)
      server.clock.advance(1)
      expect((await bytesOf(url)).status).toBe(401)
    })

    it('gives nothing of an object whose stored bytes were changed or cut', async () => {
      const before = new Set(await storedFiles(server, 'objects'))
      const { url } = await stored(100_000)
      const file = (await storedFiles(server, 'objects')).find((name) => !before.has(name))!
      const handle = await open(file, 'r+')
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 500)
      await handle.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, 500)
      await handle.close()
      expect((await bytesOf(url)).status).toBe(500)
      await truncate(file, (await stat(file)).size - 1)
      expect((await bytesOf(url, { range: 'bytes=-10' })).status).toBe(500)
    })

    it('a reader that leaves early does the next one no harm', async () => {
      const { url } = await stored(8 * 1024 * 1024)
      const answer = await fetch(url)
      const reader = answer.body!.getReader()
      await reader.read()
      await reader.cancel()
      expect((await bytesOf(url, { range: 'bytes=0-9' })).status).toBe(206)
    })
  })

  describe('portal.evidence.content', () => {
    it('gives the bytes to members of every role', async () => {
      const s = await session()
      const bytes = await picture()
      const { data } = await sendStill(server, s, { bytes })
      const portal = createClient({ baseUrl: server.url })
      for (const role of builtInRoles) {
        const headers = await portalCookie(server, role, s.orgId)
        const answer = await portal.call('portal.evidence.content', { params: { id: data.id }, headers })
        expect(Buffer.from(await answer.data.arrayBuffer()).equals(bytes), role).toBe(true)
      }
      expect((await auditOf(server, s)).at(-1)).toMatchObject({ action: 'evidence.downloaded', actor: 'user' })
    })
  })
}

for (const engine of enginesInTurn(import.meta.filename)) describe(`evidence (${engine})`, () => flows(engine))
