import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCaptureSession, type CaptureSession, storedFiles } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { inDouble, opens, storageOf } from '../storage/storage.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`packs in a bucket (${engine})`, () => {
    let server: TestServer
    let double: S3Double
    let session: CaptureSession
    let storage: ReturnType<typeof storageOf>
    const items: { id: string; sha256: string }[] = []
    beforeAll(async () => {
      double = await startS3Double()
      server = await startServer({ engine })
      storage = storageOf(server)
      session = await buildCaptureSession(server)
    })
    afterAll(async () => {
      await server.stop()
      await double.stop()
    })

    const send = async () => {
      const sent = []
      for (let n = 0; n < 9; n += 1)
        sent.push(n % 3 === 0 ? packedSound(server, { sequence: n }) : await packedStill(server))
      for (const { evidence } of await sendPack(session, sent)) items.push(evidence!)
    }
    const allOpen = async () => {
      for (const item of items) expect(await opens(server, session, item), item.id).toBe(true)
    }
    const places = async () => [(await storedFiles(server, 'objects')).length, double.objects.size]

    it('move as one object, there and back; every item opens throughout', async () => {
      await send()
      expect(await places()).toEqual([1, 0])
      await storage.put(inDouble(double))
      await send()
      expect(await places()).toEqual([1, 1])
      await allOpen()
      expect(await storage.migrate()).toMatchObject({ state: 'completed', moved: 1 })
      expect(await places()).toEqual([0, 2])
      await allOpen()
      await storage.put({ provider: 'local' })
      await storage.migrate()
      expect(await places()).toEqual([2, 0])
      await allOpen()
    })

    it('are put with one request, and gone with their session', async () => {
      await storage.put(inDouble(double))
      const s = await buildCaptureSession(server)
      const puts: string[] = []
      double.fault = ({ method, path }) => {
        if (method === 'PUT') puts.push(path)
        return undefined
      }
      await sendPack(s, await Promise.all(Array.from({ length: 64 }, () => packedStill(server))))
      double.fault = () => undefined
      expect(puts).toHaveLength(1)
      await s.api.call('sessions.end', { params: { id: s.id } })
      await s.api.call('sessions.erase', { params: { id: s.id } })
      await server.processAll()
      expect(double.objects.size).toBe(0)
    })
  })
