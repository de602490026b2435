import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CaptureSession, film, sendStill, storedFiles } from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { type MigratingServer, startMigrating } from '../../test-support/migration-process.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { proofSize } from '../../test-support/proof.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { MiB, uploadsOf } from '../uploads/uploads.test-support.ts'
import { inDouble, opens, storageOf } from './storage.test-support.ts'

/** On each database: on one the odd steps of the way there and the even ones of the way back, on the other the rest. */
const kills = proofSize({ small: 4, large: 10 })

interface Item {
  readonly id: string
  readonly sha256: string
}

for (const engine of everyEngine())
  describe(`a migration whose process is killed (${engine})`, () => {
    let server: TestServer
    let double: S3Double
    let storage: ReturnType<typeof storageOf>
    let session: CaptureSession
    const uploads = uploadsOf(() => server)
    const items: Item[] = []

    beforeAll(async () => {
      double = await startS3Double()
      server = await startServer({ engine })
      storage = storageOf(server)
      session = await uploads.session()
    })
    afterAll(async () => {
      await server.stop()
      await double.stop()
    })

    const upload = async (parts: number) => {
      const item = uploads.buildItem({ bytes: film(parts * MiB + 70_000) })
      const uploadId = await uploads.sendAll(
        session,
        item,
        Array.from({ length: parts + 1 }, (_, n) => n),
      )
      const { data } = await uploads.complete(session, uploadId)
      items.push(data)
    }
    const still = async () => {
      items.push((await sendStill(server, session)).data)
    }
    const allOpen = async (when: string) => {
      for (const item of items) expect(await opens(server, session, item), `${item.id} ${when}`).toBe(true)
    }
    const placed = async () => [(await storedFiles(server, 'objects')).length, double.objects.size]

    /** As long as the other process is at work, what is there is read over and over, and more arrives. */
    const whileItRuns = async (running: Promise<unknown>, round: number) => {
      let over = false
      const end = running.finally(() => {
        over = true
      })
      const reading = (async () => {
        for (let n = 0; !over; n++) {
          const item = items[n % items.length]
          if (item) expect(await opens(server, session, item), `${item.id} while it is moved`).toBe(true)
        }
      })()
      await Promise.all([end, reading, round % 2 === 0 ? still() : upload(1)])
    }

    const migrateUntilKilled = async (migrating: MigratingServer, round: number) => {
      const { url, stopped } = migrating
      const params = { orgId: server.orgs[0].orgId }
      const headers = await portalCookie(server)
      const asked = createClient({ baseUrl: url }).call('portal.storage.migrate', { params, headers, body: {} })
      // An answer before the step would mean that there was nothing to be killed over.
      const answered = asked.then(({ data }) => expect.fail(`it came to its end: ${JSON.stringify(data)}`))
      await whileItRuns(Promise.race([stopped, answered]), round)
      await migrating.kill()
      await expect(answered).rejects.toThrow()
    }

    it(`loses nothing and leaves nothing twice, after ${kills} kills in both directions under uploads and downloads`, async () => {
      const { dataDir, databaseUrl, limits } = server.app.config
      for (let n = 0; n < 3; n++) await still()
      await upload(9)
      for (let round = 1; round <= kills; round++) {
        await storage.put(round % 2 === 1 ? inDouble(double) : { provider: 'local' })
        const task = {
          dataDir,
          databaseUrl,
          limits,
          now: server.clock.now(),
          stopAt: engine === 'sqlite' ? round : round + 1,
        }
        await migrateUntilKilled(await startMigrating(task), round)
        await allOpen(`after kill ${round}`)
        // Its claim is over.
        server.clock.advance(120_000)
      }
      for (const provider of ['s3', 'local'] as const) {
        await storage.put(provider === 's3' ? inDouble(double) : { provider })
        while ((await storage.migrate(1000)).state === 'running');
        await allOpen(`when all lie in ${provider}`)
        expect(await placed()).toEqual(provider === 's3' ? [0, items.length] : [items.length, 0])
      }
    }, 180_000)
  })
