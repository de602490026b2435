import { createSecretKey } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { downloadLinkMs } from '../../../src/kernel/download-links.ts'
import { sign } from '../../../src/platform/crypto/signed-token.ts'
import {
  auditOf,
  buildCaptureSession,
  type CaptureSession,
  iso,
  picture,
  sendStill,
  sha256,
} from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { type Asked, ask, invalidAt, notFound, problemOf, type Shown } from '../../test-support/public-api-call.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const unauthorized = { status: 401, code: 'unauthorized', paths: [] }

for (const engine of enginesInTurn(import.meta.filename))
  describe(`public API, evidence (${engine})`, () => {
    let server: TestServer
    let session: CaptureSession
    let other: CaptureSession
    let stillBytes: Buffer
    let still: string
    let stillOfOther: string

    beforeAll(async () => {
      server = await startServer({ engine })
      session = await buildCaptureSession(server)
      other = await buildCaptureSession(server)
      stillBytes = await picture('webp', 64, 48)
      still = (await sendStill(server, session, { bytes: stillBytes, displayId: 'd1' })).data.id
      stillOfOther = (await sendStill(server, other)).data.id
    })
    beforeEach(() => server.clock.advance(60_000))
    afterAll(() => server.stop())

    const call = (line: string, asked?: Asked) => ask(server, line, asked)
    const problem = async (line: string, asked?: Asked) => problemOf(await call(line, asked))
    const liveKey = () => server.orgs[0].liveKey
    const strangers = () => [server.orgs[1].sandboxKey, liveKey()]
    const trail = async (of = session) => (await auditOf(server, of)).map(({ action, target }) => `${action} ${target}`)
    const mint = async (id = still) => {
      const { data } = await call(`POST /v1/api/evidence/${id}/download-url`)
      return {
        token: new URL(data.url).searchParams.get('token') ?? '',
        url: data.url,
        expiresAt: data.expiresAt,
      }
    }
    const content = (id: string, token: string, asked: Asked = {}, method = 'GET') =>
      call(`${method} /v1/api/evidence/${id}/content?token=${encodeURIComponent(token)}`, { key: '', ...asked })

    describe('sessions.evidence.list', () => {
      const list = (query = '', of = session) => `GET /v1/api/sessions/${of.id}/evidence${query}`

      it('filters by type, counts what it filters, and each item has id, evidenceType and sizeBytes', async () => {
        const all = await call(list())
        expect(all.data).toMatchObject({ total: 1, limit: 20, offset: 0 })
        expect(all.data.items[0]).toMatchObject({ id: still, evidenceType: 'screenshot', sizeBytes: stillBytes.length })
        expect((await call(list('?evidence_type=screenshot'))).data).toEqual(all.data)
        expect((await call(list('?evidence_type=audio_chunk'))).data).toEqual({
          items: [],
          total: 0,
          limit: 20,
          offset: 0,
          nextCursor: null,
        })
      })

      it('refuses a type that does not exist, an empty one and two', async () => {
        for (const query of [
          'evidence_type=',
          'evidence_type=video',
          'evidence_type=SCREENSHOT',
          'evidence_type=screenshot,audio_chunk',
          'evidence_type=screenshot&evidence_type=audio_chunk',
        ])
          expect(await problem(list(`?${query}`)), query).toEqual(invalidAt('evidence_type'))
      })

      it('shows nothing of another session, and to a stranger not even that there is one', async () => {
        const { data } = await call(list('', other))
        expect(data.items.map((item) => item.id)).toEqual([stillOfOther])
        for (const key of strangers()) expect(await problem(list(), { key })).toEqual(notFound)
        expect(await problem('GET /v1/api/sessions/ses_none/evidence?evidence_type=screenshot')).toEqual(notFound)
      })
    })

    describe('evidence.get', () => {
      it('answers what the list shows, and records every look in the audit trail', async () => {
        const before = (await trail()).length
        const { status, data } = await call(`GET /v1/api/evidence/${still}`)
        expect(status).toBe(200)
        expect(data).toEqual((await call(`GET /v1/api/sessions/${session.id}/evidence`)).data.items[0])
        await call(`HEAD /v1/api/evidence/${still}`)
        expect((await trail()).slice(before)).toEqual([`evidence.viewed ${still}`, `evidence.viewed ${still}`])
      })

      it('is not found for a stranger, and leaves no trace in anybody’s trail', async () => {
        const before = await trail()
        for (const key of strangers()) expect(await problem(`GET /v1/api/evidence/${still}`, { key })).toEqual(notFound)
        expect(await problem(`GET /v1/api/evidence/${session.id}`)).toEqual(notFound)
        expect(await trail()).toEqual(before)
      })
    })

    it('evidence.get is looked up anew under an Idempotency-Key too, and shows no more than what is left', async () => {
      const erased = await buildCaptureSession(server)
      const { data } = await sendStill(server, erased)
      const get = () =>
        call(`GET /v1/api/evidence/${data.id}`, { headers: { 'idempotency-key': `look ${data.id}`.replace(' ', '-') } })
      expect((await get()).data.metadata).not.toEqual({})
      await call(`POST /v1/api/sessions/${erased.id}/end`)
      await call(`POST /v1/api/sessions/${erased.id}/erase`)
      const after = await get()
      expect(after.headers.get('idempotency-replayed')).toBeNull()
      expect(after.data.metadata).toEqual({})
      expect((await trail(erased)).filter((line) => line.startsWith('evidence.viewed'))).toHaveLength(2)
    })

    describe('evidence.downloadUrl', () => {
      it('mints a link for five minutes that says so, and records it', async () => {
        const before = (await trail()).length
        const { url, expiresAt, token } = await mint()
        expect(expiresAt).toBe(iso(server.clock.now() + 5 * 60_000))
        expect(url.startsWith(`${server.app.config.baseUrl}/v1/api/evidence/${still}/content?token=`)).toBe(true)
        expect(token).not.toContain(server.orgs[0].sandboxKey)
        expect((await trail()).slice(before)).toEqual([`evidence.download_link_created ${still}`])
      })

      it('is not found for a stranger and for an unknown id', async () => {
        const line = `POST /v1/api/evidence/${still}/download-url`
        for (const key of strangers()) expect(await problem(line, { key })).toEqual(notFound)
        expect(await problem('POST /v1/api/evidence/evd_none/download-url')).toEqual(notFound)
      })

      it('of erased evidence is not found, while its metadata still is', async () => {
        const erased = await buildCaptureSession(server)
        const { data } = await sendStill(server, erased)
        const { token } = await mint(data.id)
        await call(`POST /v1/api/sessions/${erased.id}/end`)
        await call(`POST /v1/api/sessions/${erased.id}/erase`)
        expect(await problem(`POST /v1/api/evidence/${data.id}/download-url`)).toEqual(notFound)
        expect(problemOf(await content(data.id, token))).toEqual(notFound)
        expect((await call(`GET /v1/api/evidence/${data.id}`)).data).toMatchObject({
          metadata: {},
          erasedAt: expect.any(String),
        })
      })
    })

    describe('evidence.content', () => {
      it('gives the bytes to its token without a key, and records who took what', async () => {
        const { token } = await mint()
        const answer = await fetch(`${server.url}/v1/api/evidence/${still}/content?token=${token}`)
        expect(answer.status).toBe(200)
        expect(Buffer.from(await answer.arrayBuffer()).equals(stillBytes)).toBe(true)
        expect(answer.headers.get('content-type')).toBe('image/webp')
        expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="screenshot-${still}.webp"`)
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('accept-ranges')).toBe('bytes')
        expect((await auditOf(server, session)).at(-1)).toEqual({
          action: 'evidence.downloaded',
          target: still,
          actor: 'download',
          payload: { start: 0, end: stillBytes.length, sizeBytes: stillBytes.length },
        })
      })

      it('a token works to its last millisecond; at its end, and a second later, it is unauthorized', async () => {
        const { token } = await mint()
        server.clock.advance(downloadLinkMs - 1)
        expect((await content(still, token, {}, 'HEAD')).status).toBe(200)
        for (const late of [1, 999, 1]) {
          server.clock.advance(late)
          const answer = await content(still, token)
          expect(problemOf(answer)).toEqual(unauthorized)
          expect(answer.error?.message).toContain('expired')
        }
      })

      it('needs the token: none, an empty, a broken or a foreign one is unauthorized, and a key does not stand in', async () => {
        const { token } = await mint()
        const path = `GET /v1/api/evidence/${still}/content`
        for (const key of ['', server.orgs[0].sandboxKey]) {
          expect(await problem(path, { key })).toEqual(unauthorized)
          expect(await problem(`${path}?token=`, { key })).toEqual(unauthorized)
        }
        const grant = { orgId: session.orgId, expiresAt: server.clock.now() + 60_000 }
        const forAnother = sign({ ...grant, objectId: still, kind: 'composition:sandbox' }, server.app.downloadKey)
        const byAnother = sign(
          { ...grant, objectId: still, kind: 'evidence:sandbox' },
          createSecretKey(Buffer.alloc(32, 7)),
        )
        const broken = [
          token.slice(0, -1),
          `${token}A`,
          token.split('.').reverse().join('.'),
          'x'.repeat(1999),
          forAnother,
          byAnother,
        ]
        for (const wrong of broken) expect(problemOf(await content(still, wrong)), wrong).toEqual(unauthorized)
        expect(await problem(`${path}?token=${token}&token=${token}`, { key: '' })).toEqual(invalidAt('token'))
      })

      it("one object's token opens no other, be it of the same session, of another one or of the other environment", async () => {
        const { token } = await mint()
        const { data: second } = await sendStill(server, session)
        for (const id of [second.id, stillOfOther, 'evd_none'])
          expect(problemOf(await content(id, token)), id).toEqual(notFound)
        const grant = {
          orgId: session.orgId,
          expiresAt: server.clock.now() + 60_000,
          objectId: still,
          kind: 'evidence:live',
        }
        expect(problemOf(await content(still, sign(grant, server.app.downloadKey)))).toEqual(notFound)
        const abroad = { ...grant, kind: 'evidence:sandbox', orgId: server.orgs[1].orgId }
        expect(problemOf(await content(still, sign(abroad, server.app.downloadKey)))).toEqual(notFound)
      })

      it('a range beyond the end is 416 with the size, in the usual envelope, and nothing is recorded', async () => {
        const { token } = await mint()
        const before = await trail()
        const size = stillBytes.length
        for (const range of [
          `bytes=${size}-`,
          `bytes=${size}-${size + 5}`,
          'bytes=-0',
          'bytes=99999999999999999999-',
        ]) {
          const answer = await content(still, token, { headers: { range } })
          expect(problemOf(answer), range).toEqual({ status: 416, code: 'invalid_request', paths: [] })
          expect(answer.headers.get('content-range')).toBe(`bytes */${size}`)
          expect(answer.error?.message).toContain(String(size))
        }
        expect(await trail()).toEqual(before)
      })

      it('a range that reaches beyond the end is cut at it, and one that is malformed is as none', async () => {
        const { token } = await mint()
        const size = stillBytes.length
        for (const [range, status, told] of [
          [`bytes=${size - 1}-${size + 100}`, 206, `bytes ${size - 1}-${size - 1}/${size}`],
          [`bytes=-${size + 100}`, 206, `bytes 0-${size - 1}/${size}`],
          ['bytes=', 200, null],
          ['bytes=5-2', 200, null],
          ['bytes=0-0,2-2', 200, null],
          ['seconds=0-1', 200, null],
        ] as const) {
          const answer = await content(still, token, { headers: { range } })
          expect([answer.status, answer.headers.get('content-range')], range).toEqual([status, told])
        }
      })
    })

    describe('sessions.systemAudio.list', () => {
      const send = async (of: CaptureSession, sequence: number, at: number) => {
        const bytes = Buffer.concat([Buffer.from('OggS'), Buffer.from(`${of.id} ${sequence}`)])
        const { data } = await of.agent.call('agent.systemAudio.begin', {
          params: { id: of.id },
          body: {
            clientId: `sound-${sequence}-of-it`,
            sizeBytes: bytes.length,
            sha256: sha256(bytes),
            contentType: 'audio/ogg',
            capturedAt: iso(at),
            durationMs: 10_000,
            metadata: { codec: 'opus', sequence },
          },
        })
        if (!('uploadId' in data)) throw new Error('these bytes are here already')
        const { uploadId } = data
        await of.agent.call('agent.uploads.part', {
          params: { uploadId },
          body: { index: 0, sha256: sha256(bytes), data: bytes.toString('base64') },
        })
        await of.agent.call('agent.uploads.complete', { params: { uploadId } })
      }
      const list = (of: CaptureSession, query = '') => `GET /v1/api/sessions/${of.id}/system-audio-chunks${query}`

      it('is in playback order with duration and codec, however late a chunk came, page by page', async () => {
        const of = await buildCaptureSession(server)
        const start = server.clock.now()
        for (const sequence of [2, 0, 3, 1]) await send(of, sequence, start + sequence * 10_000)
        await sendStill(server, of)
        const items: Shown[] = []
        for (const offset of [0, 3]) {
          const { data } = await call(list(of, `?limit=3&offset=${offset}`))
          expect(data.total).toBe(4)
          items.push(...data.items)
        }
        expect(items.map(({ metadata }) => metadata['sequence'])).toEqual([0, 1, 2, 3])
        for (const item of items)
          expect(item).toMatchObject({
            evidenceType: 'system_audio_chunk',
            durationMs: 10_000,
            metadata: { codec: 'opus' },
          })
      })

      it('keeps out of the microphone’s list, and the microphone out of this one', async () => {
        const of = await buildCaptureSession(server)
        await send(of, 0, server.clock.now())
        const types = async (type: string) =>
          (await call(`GET /v1/api/sessions/${of.id}/evidence?evidence_type=${type}`)).data.total
        expect([await types('system_audio_chunk'), await types('audio_chunk')]).toEqual([1, 0])
        expect((await call(list(session))).data).toEqual({
          items: [],
          total: 0,
          limit: 20,
          offset: 0,
          nextCursor: null,
        })
        expect(await problem(list(session, '?limit=1e1'))).toEqual(invalidAt('limit'))
        for (const key of strangers()) expect(await problem(list(of), { key })).toEqual(notFound)
      })
    })
  })
