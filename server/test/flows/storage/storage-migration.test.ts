import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditRowsOf } from '../../test-support/audit-rows.ts'
import {
  buildCaptureSession,
  type CaptureSession,
  sendStill,
  sha256,
  storedFiles,
} from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { uploadsOf } from '../uploads/uploads.test-support.ts'
import { inDouble, opens, storageOf } from './storage.test-support.ts'

for (const engine of everyEngine())
  describe(`portal.storage.migrate (${engine})`, () => {
    let server: TestServer
    let double: S3Double
    let storage: ReturnType<typeof storageOf>
    let session: CaptureSession
    let stills: { id: string; sha256: string }[]

    beforeAll(async () => {
      double = await startS3Double()
    })
    afterAll(() => double.stop())
    beforeEach(async () => {
      server = await startServer({ engine })
      storage = storageOf(server)
      double.objects.clear()
      double.fault = () => undefined
      session = await buildCaptureSession(server)
      stills = []
      for (let n = 0; n < 5; n++) stills.push((await sendStill(server, session)).data)
      return () => server.stop()
    })

    const files = async () => (await storedFiles(server, 'objects')).length
    const allOpen = async () => {
      for (const still of stills) expect(await opens(server, session, still)).toBe(true)
    }
    const untilDone = async () => {
      for (let calls = 0; calls < 50; calls++) if ((await storage.migrate()).state === 'completed') return
      expect.fail('the migration does not end')
    }

    it('moves a bounded share with each call; every object opens throughout, and lies in one place in the end', async () => {
      expect(await storage.migrate()).toEqual({ state: 'none', moved: 0, remaining: 0, failed: [] })
      expect(await storage.migration()).toMatchObject({ state: 'none', startedAt: null })
      await storage.put(inDouble(double))
      await allOpen()
      expect(await storage.migrate(2)).toEqual({ state: 'running', moved: 2, remaining: 3, failed: [] })
      expect([await files(), double.objects.size]).toEqual([3, 2])
      await allOpen()
      // What is left where it was is looked for there, however long ago that place was in use.
      server.clock.advance(48 * 3_600_000)
      await allOpen()
      expect(await storage.migration()).toMatchObject({ state: 'running', moved: 2, remaining: 3, completedAt: null })
      expect(await storage.migrate(3)).toEqual({ state: 'completed', moved: 3, remaining: 0, failed: [] })
      expect([await files(), double.objects.size]).toEqual([0, 5])
      await allOpen()
      expect(await storage.migration()).toMatchObject({ state: 'completed', moved: 5, remaining: 0 })
      expect((await auditRowsOf(server, 'storage.migrated')).map(({ payload }) => payload)).toEqual([
        { state: 'none', moved: 0, remaining: 0, failed: 0 },
        { state: 'running', moved: 2, remaining: 3, failed: 0 },
        { state: 'completed', moved: 3, remaining: 0, failed: 0 },
      ])
    })

    it('goes on under a legal hold, which deletes nothing and holds wherever the objects lie', async () => {
      const { orgId } = server.orgs[0]
      const hold = { params: { orgId, sessionId: session.id }, body: { on: true, reason: 'A dispute.' } }
      const headers = await portalCookie(server, 'owner', orgId)
      await server.client().call('portal.retention.sessions.hold', { ...hold, headers })
      await storage.put(inDouble(double))
      await untilDone()
      await allOpen()
      const erase = server.client(server.orgs[0].sandboxKey).call('sessions.erase', { params: { id: session.id } })
      expect(await refusalOf(erase)).toMatchObject({ status: 409 })
      await allOpen()
    })

    it('goes back when one changes one’s mind in the middle', async () => {
      await storage.put(inDouble(double))
      await storage.migrate(2)
      await storage.put({ provider: 'local' })
      await allOpen()
      await untilDone()
      expect([await files(), double.objects.size]).toEqual([5, 0])
      await allOpen()
    })

    it('refuses to turn, and to run twice, while a call is moving objects; a killed one holds nobody up for long', async () => {
      await storage.put(inDouble(double))
      await storage.migrate(1)
      const until = server.clock.now() + 120_000
      await server.app.db.transact((tx) =>
        tx.run("UPDATE storage_migrations SET claim = 'mig_of_a_killed_process', claimed_until = ?", [until]),
      )
      expect(await refusalOf(storage.put({ provider: 'local' }))).toMatchObject({ status: 409 })
      expect(await refusalOf(storage.migrate())).toMatchObject({ status: 409 })
      server.clock.advance(120_000)
      await untilDone()
      await allOpen()
    })

    it('broken off at any of its steps, in either direction, loses nothing and leaves nothing twice', async () => {
      for (let step = 1; step <= 20; step++) {
        const away = step % 2 === 1
        await storage.put(away ? inDouble(double) : { provider: 'local' })
        let asks = 0
        double.fault = () => (++asks >= step ? { status: 403, code: 'AccessDenied' } : undefined)
        await storage.migrate().catch(() => undefined)
        double.fault = () => undefined
        await allOpen()
        await untilDone()
        await allOpen()
        expect([await files(), double.objects.size], `step ${step}`).toEqual(away ? [0, 5] : [5, 0])
      }
    })

    it('says which objects it could not move, keeps them, and tries them again', async () => {
      await storage.put(inDouble(double))
      let first = true
      double.fault = ({ method, path }) => {
        if (method !== 'PUT' || !path.includes('/obj_') || !first) return undefined
        first = false
        return { status: 507, code: 'QuotaExceeded' }
      }
      const run = await storage.migrate()
      expect(run).toMatchObject({ state: 'running', moved: 4, remaining: 1 })
      expect(run.failed).toEqual([
        { object: expect.stringMatching(/^obj_/), message: expect.stringContaining('no room') },
      ])
      await allOpen()
      expect(await storage.migrate()).toMatchObject({ state: 'completed', moved: 1, failed: [] })
      await allOpen()
    })

    it('never deletes what does not read back as it was', async () => {
      await storage.put(inDouble(double))
      double.fault = ({ method }) => {
        if (method === 'GET')
          for (const [name, { bytes, putId }] of double.objects)
            double.objects.set(name, { bytes: Buffer.alloc(bytes.length, 1), putId })
        return undefined
      }
      const run = await storage.migrate()
      expect([run.moved, run.failed.length, await files()]).toEqual([0, 5, 5])
      await storage.put({ provider: 'local' }).catch(() => undefined)
      await allOpen()
    })

    it('does not bring back what is erased while it is on its way', async () => {
      await storage.put(inDouble(double))
      const { store } = server.app
      let erased = false
      double.fault = async ({ method, path }) => {
        if (method === 'PUT' && path.includes('/obj_') && !erased) {
          erased = true
          // Gone from both places before the copy comes to be in one of them.
          await store.remove(path.slice('/evidence/'.length))
        }
        return undefined
      }
      await storage.migrate()
      expect([erased, await files(), double.objects.size]).toEqual([true, 0, 4])
    })

    it('deletes nothing where it was once another call has taken over', async () => {
      await storage.put(inDouble(double))
      const { db } = server.app
      const transact = db.transact.bind(db)
      let copied = false
      double.fault = ({ method, path }) => {
        copied ||= method === 'PUT' && path.includes('/obj_')
        return undefined
      }
      let taken = false
      const takeOver = () => {
        taken = true
        return transact((tx) => tx.run("UPDATE storage_migrations SET claim = 'mig_of_another_call'"))
      }
      Object.assign(db, {
        transact: async (work: Parameters<typeof transact>[0]) => {
          if (copied && !taken) await takeOver()
          return transact(work)
        },
      })
      try {
        expect(await refusalOf(storage.migrate())).toMatchObject({ status: 409 })
      } finally {
        Object.assign(db, { transact })
      }
      expect([taken, await files(), double.objects.size]).toEqual([true, 5, 1])
      // The claim is the other call's still.
      expect(await db.reader.all('SELECT claim FROM storage_migrations')).toEqual([{ claim: 'mig_of_another_call' }])
      await allOpen()
      server.clock.advance(120_000)
      await untilDone()
      expect([await files(), double.objects.size]).toEqual([0, 5])
    })

    it('leaves alone what has arrived in pieces and is on its way to its place', async () => {
      const [still = ''] = await storedFiles(server, 'objects')
      const waiting = path.join(path.dirname(still), `staged~${path.basename(still)}`)
      await copyFile(still, waiting)
      await storage.put(inDouble(double))
      expect(await storage.migrate()).toMatchObject({ state: 'completed', moved: 5, remaining: 0 })
      expect([await storedFiles(server, 'objects'), double.objects.size]).toEqual([[waiting], 5])
    })

    it('leaves alone what is still arriving in pieces', async () => {
      const uploads = uploadsOf(() => server)
      const item = uploads.buildItem()
      const uploading = await uploads.session()
      const uploadId = await uploads.begin(uploading, item)
      await uploads.sendPart(uploading, uploadId, 0, uploads.partOf(item, 0))
      await storage.put(inDouble(double))
      await untilDone()
      const staged = [...double.objects.keys()].filter((name) => name.includes('/staged/'))
      expect([staged, double.objects.size]).toEqual([[], 5])
      for (const index of [1, 2]) await uploads.sendPart(uploading, uploadId, index, uploads.partOf(item, index))
      const { data } = await uploads.complete(uploading, uploadId)
      expect(sha256(await uploads.contentOf(uploading, data.id))).toBe(sha256(item.bytes))
    })
  })
