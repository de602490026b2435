import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import { LocalStore } from '../../../src/platform/storage/local.store.ts'
import {
  auditOf,
  filesBelow,
  newClientId,
  picture,
  published,
  refusal,
  sha256,
  storedFiles,
} from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { uploadsOf } from './uploads.test-support.ts'

const hour = 3_600_000
const asked = (token: string) => ({ method: 'POST', headers: { authorization: `Bearer ${token}` } })

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const {
    session,
    buildItem,
    beginRaw,
    begin,
    partOf,
    sendPart,
    status,
    complete,
    abort,
    contentOf,
    sendAll,
    segments,
    listed,
  } = uploadsOf(() => server)

  describe('agent.uploads.complete', () => {
    it('answers before a proxy gives up, goes on by itself, and a repetition finds it done', async () => {
      const { server: slow, goOn, stop } = await slowToFinish(engine)
      try {
        const uploads = uploadsOf(() => slow)
        const s = await uploads.session()
        const item = uploads.buildItem()
        const uploadId = await uploads.sendAll(s, item)
        const refused = () => fetch(`${slow.url}/v1/uploads/${uploadId}/complete`, asked(s.token))
        for (const answer of [await refused(), await refused()]) {
          expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
          expect(await answer.text()).toContain('still being verified and stored; ask again')
        }
        goOn()
        let done = await refused()
        while (done.status === 503) done = await refused()
        expect(done.status).toBe(201)
        expect(await uploads.contentOf(s, ((await done.json()) as { data: { id: string } }).data.id)).toEqual(
          item.bytes,
        )
      } finally {
        goOn()
        await stop()
      }
    })

    it('names the missing parts', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 1, partOf(item, 1))
      const error = await complete(s, uploadId).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({
        status: 409,
        code: 'conflict',
        details: [{ path: 'parts.0' }, { path: 'parts.2' }],
        extra: { missingParts: [0, 2] },
      })
      await sendPart(s, uploadId, 0, partOf(item, 0))
      const again = await complete(s, uploadId).catch((thrown: unknown) => thrown)
      expect(again).toMatchObject({ status: 409, details: [{ path: 'parts.2' }], extra: { missingParts: [2] } })
      await sendPart(s, uploadId, 2, partOf(item, 2))
      expect((await complete(s, uploadId)).status).toBe(201)
    })

    it.each([
      ['kept while the parts came', false],
      ['read back after a restart', true],
    ])('refuses and discards when the whole has another hash (%s)', async (_title, restarted) => {
      const before = await segments()
      const s = await session()
      const item = buildItem()
      const { data } = await beginRaw(s, item, { sha256: sha256(randomBytes(8)) })
      if (!('uploadId' in data)) throw new Error('the item is here already')
      const { uploadId } = data
      for (const index of [0, 1, 2]) await sendPart(s, uploadId, index, partOf(item, index))
      if (restarted) await server.restart()
      const refused = { status: 400, code: 'invalid_request', path: 'sha256' }
      expect(await refusal(complete(s, uploadId))).toEqual(refused)
      expect((await status(s, uploadId)).state).toBe('aborted')
      expect((await auditOf(server, s)).at(-1)).toMatchObject({ action: 'upload.refused', target: uploadId })
      await server.processAll()
      expect(await segments()).toEqual(before)
      expect(await refusal(complete(s, uploadId))).toMatchObject({ status: 409 })
      expect((await listed(s)).total).toBe(0)
      expect(await published(server, s, 'evidence.ready')).toBe(0)
    })

    it('decodes pictures before it takes them', async () => {
      const s = await session()
      const whole = await picture('png', 300, 300)
      const cut = whole.subarray(0, whole.length - 5000)
      const broken = buildItem({ evidenceType: 'screenshot', contentType: 'image/png', bytes: cut })
      const files = (await storedFiles(server)).length
      expect(await refusal(complete(s, await sendAll(s, broken, [0])))).toMatchObject({ status: 400, path: 'data' })
      await server.processAll()
      expect(await storedFiles(server)).toHaveLength(files)
      const sound = buildItem({ evidenceType: 'screenshot', contentType: 'image/png', bytes: whole })
      expect((await complete(s, await sendAll(s, sound, [0]))).status).toBe(201)
    })

    it('makes one row and one event, however often and however much at once it is asked for', async () => {
      const s = await session()
      const uploadId = await sendAll(s, buildItem())
      const answers = await Promise.all([1, 2, 3].map(() => complete(s, uploadId)))
      expect(answers.map(({ status: code }) => code).sort((a, b) => a - b)).toEqual([200, 200, 201])
      expect((await complete(s, uploadId)).data).toEqual(answers[0]!.data)
      expect((await listed(s)).total).toBe(1)
      expect(await published(server, s, 'evidence.ready')).toBe(1)
    })

    it('shares the object when the same bytes were stored meanwhile, and takes the second copy away', async () => {
      const s = await session()
      const item = buildItem()
      const files = (await storedFiles(server)).length
      const one = await sendAll(s, item)
      const two = await sendAll(s, { ...item, clientId: newClientId() })
      await complete(s, one)
      const { data } = await complete(s, two)
      await server.processAll()
      expect(await storedFiles(server)).toHaveLength(files + 1)
      expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
    })

    it('after a kill between the finished object and its row, finds the object and makes the row', async () => {
      const usual = server
      const killed = await killAfterFinish(engine)
      server = killed.server
      try {
        const s = await session()
        const item = buildItem()
        const uploadId = await sendAll(s, item)
        expect(await refusal(complete(s, uploadId))).toMatchObject({ status: 500 })
        expect(await filesBelow(join(killed.root, 'segments'))).toEqual([])
        killed.revive()
        await server.restart()
        expect((await status(s, uploadId)).state).toBe('open')
        const { status: code, data } = await complete(s, uploadId)
        expect(code).toBe(201)
        expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
      } finally {
        server = usual
        await killed.stop()
      }
    })
  })

  describe('agent.uploads.abort', () => {
    it('discards the parts, answers the same again, and refuses what is completed', async () => {
      const before = await segments()
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 0, partOf(item, 0))
      const { data } = await abort(s, uploadId)
      expect(data).toEqual({ uploadId, state: 'aborted' })
      expect((await abort(s, uploadId)).data).toEqual(data)
      await server.processAll()
      expect(await segments()).toEqual(before)
      expect(await refusal(sendPart(s, uploadId, 1, partOf(item, 1)))).toMatchObject({ status: 409 })
      expect(await refusal(complete(s, uploadId))).toMatchObject({ status: 409 })
      const again = await sendAll(s, item)
      expect(again).not.toBe(uploadId)
      await complete(s, again)
      expect(await refusal(abort(s, again))).toMatchObject({ status: 409, code: 'conflict' })
    })
  })

  describe('an upload that nobody completes', () => {
    it('expires after 24 hours, and its item can be begun again', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 0, partOf(item, 0))
      server.clock.advance(24 * hour - 1)
      await sendPart(s, uploadId, 1, partOf(item, 1))
      server.clock.advance(1)
      expect((await status(s, uploadId)).state).toBe('aborted')
      expect(await refusal(sendPart(s, uploadId, 2, partOf(item, 2)))).toMatchObject({ status: 409 })
      // Not the missing parts, which it would not take any more.
      expect(await refusal(complete(s, uploadId))).toEqual({ status: 409, code: 'conflict' })
      const again = await begin(s, item)
      expect(again).not.toBe(uploadId)
      await abort(s, again)
    })

    it('is swept with its parts by a job', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 0, partOf(item, 0))
      server.clock.advance(24 * hour)
      await server.processAll()
      await server.processAll()
      expect(await segments()).toEqual([])
      const trail = await auditOf(server, s)
      expect(trail.at(-1)).toMatchObject({ action: 'upload.aborted', actor: 'system', payload: { reason: 'expired' } })
    })
  })
}

/** A server whose store takes longer with an object than anybody waits, until it is let go on. */
const slowToFinish = async (engine: Engine) => {
  const { promise: gate, resolve: goOn } = Promise.withResolvers<void>()
  class SlowStore extends LocalStore {
    override async openSegmented(...args: Parameters<LocalStore['openSegmented']>) {
      const writer = await super.openSegmented(...args)
      const finish = writer.finish.bind(writer)
      writer.finish = () => gate.then(finish)
      return writer
    }
  }
  const root = await mkdtemp(join(tmpdir(), 'slow-store-'))
  const server = await startServer({ engine, overrides: { store: new SlowStore(root) }, limits: { completeMs: 20 } })
  const stop = async () => {
    await server.stop()
    await rm(root, { recursive: true })
  }
  return { server, goOn, stop }
}

/** A server that is cut off, until it is revived, right after an object lies finished in its place. */
const killAfterFinish = async (engine: Engine) => {
  let alive = false
  class CutOffStore extends LocalStore {
    override async openSegmented(...args: Parameters<LocalStore['openSegmented']>) {
      const writer = await super.openSegmented(...args)
      const finish = writer.finish.bind(writer)
      writer.finish = async () => {
        await finish()
        if (!alive) throw new Error('cut off')
      }
      return writer
    }
  }
  const root = await mkdtemp(join(tmpdir(), 'cut-off-'))
  const server = await startServer({ engine, overrides: { store: new CutOffStore(root) } })
  const revive = () => {
    alive = true
  }
  const stop = async () => {
    await server.stop()
    await rm(root, { recursive: true })
  }
  return { server, root, revive, stop }
}

for (const engine of everyEngine()) describe(`uploads (${engine})`, () => flows(engine))
