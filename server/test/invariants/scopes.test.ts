import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endLinksOf, findLinkById, insertLink } from '../../src/domains/candidates/links/links.store.ts'
import { cancelDeliveries } from '../../src/domains/integrations/deliveries/deliveries.queue.store.ts'
import { listByCapture } from '../../src/domains/recording/evidence/playback.store.ts'
import type { Scope } from '../../src/kernel/identity/scope.ts'
import { enginesInTurn } from '../test-support/engines.ts'
import { publish } from '../test-support/publish.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`a statement in a scope (${engine})`, () => {
    let server: TestServer
    let world: World
    let foreign: Record<string, Scope>
    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
      const { orgId, environment } = world.scope
      foreign = {
        'another organisation': { orgId: server.orgs.find((org) => org.orgId !== orgId)!.orgId, environment },
        'the other environment': { orgId, environment: environment === 'live' ? 'sandbox' : 'live' },
      }
    })
    afterAll(() => server.stop())

    it('finds and ends links of its own only', async () => {
      const { db, newId } = server.app
      const of = { kind: 'invitation', subjectId: 'ivn_scoped' } as const
      const link = {
        ...of,
        id: newId('lnk'),
        sessionId: world.live.id,
        origin: null,
        expiresAt: 9e12,
        tokenHash: 'scoped',
      }
      await db.transact((tx) => insertLink(tx, world.scope, link, 1))
      for (const [whose, scope] of Object.entries(foreign)) {
        expect(await findLinkById(db.reader, scope, link.id), whose).toBeUndefined()
        await db.transact((tx) => endLinksOf(tx, scope, of, 'revoked', 2))
        expect((await findLinkById(db.reader, world.scope, link.id))?.endedAt, whose).toBe(null)
      }
      await db.transact((tx) => endLinksOf(tx, world.scope, of, 'revoked', 2))
      expect(await findLinkById(db.reader, world.scope, link.id)).toMatchObject({ endedAt: 2, endReason: 'revoked' })
    })

    it('lists system audio, as everything in the order of its capture, of its own only', async () => {
      const place = { sessionId: world.live.id, evidenceType: 'system_audio_chunk' } as const
      const page = { after: undefined, skip: 0, take: 5 }
      const list = (scope: Scope) => listByCapture(server.app.db.reader, scope, place, page)
      expect((await list(world.scope)).length).toBeGreaterThan(0)
      for (const [whose, scope] of Object.entries(foreign)) expect(await list(scope), whose).toEqual([])
    })

    it('cancels deliveries of its own only', async () => {
      const { db } = server.app
      await publish(server, { type: 'webhook.test' })
      const waiting = async () =>
        (await db.reader.get<{ n: number }>(
          "SELECT count(*) AS n FROM webhook_deliveries WHERE org_id = ? AND endpoint_id = ? AND status = 'pending'",
          [world.scope.orgId, world.webhookId],
        ))!.n
      const before = await waiting()
      expect(before).toBeGreaterThan(0)
      for (const [whose, scope] of Object.entries(foreign)) {
        await db.transact((tx) => cancelDeliveries(tx, scope, world.webhookId, 5))
        expect(await waiting(), whose).toBe(before)
      }
      await db.transact((tx) => cancelDeliveries(tx, world.scope, world.webhookId, 5))
      expect(await waiting()).toBe(0)
    })

    it('opens what a download URL was minted for, in either environment', async () => {
      for (const { scope, key, screenshotId } of [world, await buildWorld(server, 0, 'live')]) {
        const { data } = await server.client(key).call('evidence.downloadUrl', { params: { id: screenshotId } })
        const { pathname, search } = new URL(data.url)
        expect((await fetch(`${server.url}${pathname}${search}`)).status, scope.environment).toBe(200)
      }
    })
  })
