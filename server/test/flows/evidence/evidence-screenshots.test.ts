import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseSomeEvidence } from '../../../src/domains/recording/evidence/evidence.erase.service.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import { LocalStore } from '../../../src/platform/storage/local.store.ts'
import {
  buildCaptureSession,
  buildStill,
  filesBelow,
  iso,
  newClientId,
  picture,
  published,
  refusal,
  sendStill,
  storedFiles,
} from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bytesOf } from './downloads.test-support.ts'
import { evidenceOf, scopeOf } from './evidence.test-support.ts'

const hour = 3_600_000

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const { session, list, download } = evidenceOf(() => server)

  describe('agent.screenshots.upload', () => {
    it('stores a raw picture, announces it, and gives its very bytes back', async () => {
      const s = await session()
      const bytes = await picture('webp', 64, 48)
      const meta = { displayId: 'display-1', width: 64, height: 48, trigger: 'interval' }
      const { status, data } = await sendStill(server, s, { bytes, ...meta })
      expect(status).toBe(201)
      expect(data).toMatchObject({
        sessionId: s.id,
        evidenceType: 'screenshot',
        sizeBytes: bytes.length,
        metadata: meta,
        erasedAt: null,
      })
      expect((await list(s)).items).toEqual([data])
      expect((await s.api.call('evidence.get', { params: { id: data.id } })).data).toEqual(data)
      expect((await bytesOf(await download(s, data.id))).bytes.equals(bytes)).toBe(true)
      expect(await published(server, s, 'evidence.ready')).toBe(1)
    })

    it('takes base64 in JSON as well', async () => {
      const s = await session()
      const { bytes, contentType, meta } = await buildStill(server, {
        contentType: 'image/png',
        bytes: await picture('png'),
      })
      const body = { ...meta, contentType, data: bytes.toString('base64') } as never
      const { status, data } = await s.agent.call('agent.screenshots.upload', { params: { id: s.id }, body })
      expect(status).toBe(201)
      expect(data.contentType).toBe('image/png')
      expect((await bytesOf(await download(s, data.id))).bytes.equals(bytes)).toBe(true)
    })

    it('never writes plain bytes to the disk', async () => {
      const s = await session()
      const before = new Set(await storedFiles(server))
      const { bytes, ...still } = await buildStill(server)
      await s.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw: { bytes, ...still } })
      const [added, ...more] = (await storedFiles(server)).filter((file) => !before.has(file))
      expect(more).toEqual([])
      const file = await open(added!)
      const content = await file.readFile()
      await file.close()
      expect(content.includes(bytes.subarray(0, 16))).toBe(false)
    })

    it('answers 200 with the same object when the clientId comes again with the same bytes', async () => {
      const s = await session()
      const raw = await buildStill(server)
      const send = () => s.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw })
      const first = await send()
      const files = (await storedFiles(server)).length
      const again = await send()
      expect([first.status, again.status]).toEqual([201, 200])
      expect(again.data).toEqual(first.data)
      expect((await list(s)).total).toBe(1)
      expect(await published(server, s, 'evidence.ready')).toBe(1)
      expect(await storedFiles(server)).toHaveLength(files)
    })

    it('stores one object when the same item comes many times at once', async () => {
      const s = await session()
      const files = (await storedFiles(server)).length
      const raw = await buildStill(server)
      const send = () => s.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw })
      const answers = await Promise.all(Array.from({ length: 6 }, send))
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      await server.processAll()
      expect(await storedFiles(server)).toHaveLength(files + 1)
    })

    it('decodes no picture whose container tells enough, any other once for a session, and holds each to what it says', async () => {
      const s = await session()
      const whole = await picture('webp', 64, 48)
      const withoutEndMark = (await picture('jpeg', 64, 48)).subarray(0, -2)
      let decodings = 0
      const count = () => {
        decodings += 1
      }
      const ask = (bytes: Buffer, type: string, more: object = {}) =>
        sendStill(server, s, { bytes, contentType: `image/${type}`, clientId: newClientId(), ...more })
      sharp.queue.on('change', count)
      try {
        const holds = async (bytes: Buffer, type: string) => {
          await ask(bytes, type)
          const once = decodings
          for (let n = 0; n < 3; n++)
            expect((await ask(bytes, type)).data.metadata).toMatchObject({ width: 64, height: 48 })
          expect((await refusal(ask(bytes, type, { width: 65 }))).code).toBe('invalid_request')
          expect(decodings).toBe(once)
        }
        await holds(whole, 'webp')
        expect(decodings).toBe(0)
        await holds(withoutEndMark, 'jpeg')
        expect(decodings).toBeGreaterThan(0)
      } finally {
        sharp.queue.off('change', count)
      }
    })

    it('refuses other bytes under a clientId that is taken', async () => {
      const s = await session()
      const clientId = newClientId()
      await sendStill(server, s, { clientId })
      const files = (await storedFiles(server)).length
      expect(await refusal(sendStill(server, s, { clientId }))).toEqual({
        status: 409,
        code: 'conflict',
        path: 'clientId',
      })
      expect(await storedFiles(server)).toHaveLength(files)
    })

    it('keeps the same bytes under another clientId as a row that shares the object, shredded with its last row', async () => {
      const s = await session()
      const bytes = await picture()
      const { data: one } = await sendStill(server, s, { bytes })
      const files = (await storedFiles(server)).length
      const { status, data: two } = await sendStill(server, s, { bytes })
      expect(status).toBe(201)
      expect(two.id).not.toBe(one.id)
      expect(await storedFiles(server)).toHaveLength(files)
      expect(await published(server, s, 'evidence.ready')).toBe(2)

      const eraseFirst = () =>
        server.app.db.transact((tx) =>
          eraseSomeEvidence(
            { ...server.app, tx, reader: tx, scope: scopeOf(s) },
            { sessionId: s.id, limit: 1, now: server.clock.now() },
          ),
        )
      await eraseFirst()
      await server.processAll()
      expect((await bytesOf(await download(s, two.id))).bytes.equals(bytes)).toBe(true)
      expect(await refusal(s.api.call('evidence.downloadUrl', { params: { id: one.id } }))).toMatchObject({
        status: 404,
      })
      await eraseFirst()
      await server.processAll()
      expect(await storedFiles(server)).toHaveLength(files - 1)
      const headers = await server.app.db.reader.all(
        'SELECT header FROM objects o JOIN evidence e ON e.org_id = o.org_id AND e.object_id = o.object_id WHERE e.session_id = ?',
        [s.id],
      )
      expect(headers).toEqual([{ header: null }, { header: null }])
    })

    it('refuses bytes that are not what was declared, and keeps nothing of them', async () => {
      const s = await session()
      const before = (await storedFiles(server)).length
      const png = await picture('png')
      const wrong: [Record<string, unknown>, string][] = [
        [{ sha256: '0'.repeat(64) }, 'sha256'],
        [{ bytes: png, contentType: 'image/webp' }, 'contentType'],
        [{ bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), contentType: 'image/png' }, 'contentType'],
        [{ bytes: png.subarray(0, png.length - 200), contentType: 'image/png' }, 'data'],
        [{ width: 65, height: 48 }, 'width'],
        [{ bytes: Buffer.alloc(0) }, 'data'],
      ]
      for (const [overrides, path] of wrong)
        expect(await refusal(sendStill(server, s, overrides))).toEqual({ status: 400, code: 'invalid_request', path })
      expect((await list(s)).total).toBe(0)
      expect(await storedFiles(server)).toHaveLength(before)
    })

    it('refuses content types that screenshots do not have, raw and in JSON', async () => {
      const s = await session()
      expect(await refusal(sendStill(server, s, { contentType: 'image/svg+xml' }))).toMatchObject({ status: 415 })
      const { meta, bytes } = await buildStill(server)
      const body = { ...meta, contentType: 'image/svg+xml', data: bytes.toString('base64') } as never
      const call = s.agent.call('agent.screenshots.upload', { params: { id: s.id }, body })
      expect(await refusal(call)).toEqual({ status: 400, code: 'invalid_request', path: 'contentType' })
    })

    it('refuses everything before consent', async () => {
      const s = await session({ registered: false })
      expect(await refusal(sendStill(server, s))).toMatchObject({ status: 403, code: 'forbidden' })
    })

    it('refuses a lane that policy switched off after consent', async () => {
      const s = await session()
      await s.api.call('sessions.patch', { params: { id: s.id }, body: { capture: { enabled: false } } })
      expect(await refusal(sendStill(server, s))).toMatchObject({ status: 403, code: 'forbidden' })
    })

    it('keeps nothing when consent is withdrawn while the bytes are on their way into the store', async () => {
      const withdrawing = await withdrawDuringPut(engine)
      try {
        const call = sendStill(withdrawing.server, withdrawing.session)
        expect(await refusal(call)).toMatchObject({ status: 403, code: 'forbidden' })
        expect(await withdrawing.files()).toEqual([])
      } finally {
        await withdrawing.stop()
      }
    })

    it('after the end takes what was captured before it for 24 hours, and nothing captured after', async () => {
      const s = await session()
      const capturedAt = iso(server.clock.now())
      server.clock.advance(1000)
      await s.api.call('sessions.end', { params: { id: s.id } })
      server.clock.advance(23 * hour)
      expect(await refusal(sendStill(server, s))).toEqual({ status: 400, code: 'invalid_request', path: 'capturedAt' })
      expect((await sendStill(server, s, { capturedAt })).status).toBe(201)
      server.clock.advance(hour)
      expect(await refusal(sendStill(server, s, { capturedAt }))).toMatchObject({ status: 401 })
    })

    it('refuses the token of another session as if this one were not there', async () => {
      const s = await session()
      const other = await session()
      const raw = await buildStill(server)
      const call = other.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw })
      expect(await refusal(call)).toEqual({ status: 404, code: 'not_found' })
    })

    it('replays its answer for the same Idempotency-Key without storing anything again', async () => {
      const s = await session()
      const raw = await buildStill(server)
      const send = () =>
        s.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw, idempotencyKey: 'still-1' })
      const first = await send()
      const files = (await storedFiles(server)).length
      const again = await send()
      expect(again.status).toBe(201)
      expect(again.data).toEqual(first.data)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(await storedFiles(server)).toHaveLength(files)
    })
  })
}

/** A server whose store has the candidate withdraw consent while it stores. */
const withdrawDuringPut = async (engine: Engine) => {
  let withdraw = async (): Promise<void> => undefined
  class WithdrawingStore extends LocalStore {
    override async put(...args: Parameters<LocalStore['put']>): Promise<void> {
      await super.put(...args)
      await withdraw()
    }
  }
  const root = await mkdtemp(join(tmpdir(), 'withdrawing-'))
  const server = await startServer({ engine, overrides: { store: new WithdrawingStore(root) } })
  const session = await buildCaptureSession(server)
  withdraw = async () => {
    await server.app.db.transact((tx) =>
      tx.run("UPDATE sessions SET consent = 'null' WHERE session_id = ?", [session.id]),
    )
  }
  const stop = async () => {
    await server.stop()
    await rm(root, { recursive: true })
  }
  return { server, session, stop, files: () => filesBelow(root) }
}

for (const engine of everyEngine()) describe(`evidence (${engine})`, () => flows(engine))
