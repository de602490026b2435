import type { EndpointId } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleMs } from '../../src/kernel/time.ts'
import { everyEngine } from '../test-support/engines.ts'
import { type Example, examples, makeExample, specOf, withJson } from '../test-support/examples.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { anEvent, beginFor, buildWorld, newSound, openUpload, type World } from '../test-support/world.ts'
import { allIds, eventsSince } from './common.ts'

/** Bytes that the session holds already, under another clientId: an observation of its own. */
const sameBytes = async (world: World, id: EndpointId): Promise<Example> => {
  const bytes = newSound()
  const uploadId = await openUpload(world.server, world.live, bytes)
  await world.server.client(world.live.agent).call('agent.uploads.complete', { params: { uploadId } })
  return withJson(await makeExample(world, id), beginFor(world.server, bytes))
}

const declining = async (world: World, id: 'pairings.consent' | 'rooms.consent'): Promise<Example> => {
  const example = await examples[id](world)
  return withJson(example, { ...example.json, accepted: false })
}

/** What is published once it has settled. */
const settling: readonly EndpointId[] = ['agent.events.ingest', 'pairings.presence', 'pairings.unpair']

/** A system of an organisation orders real interviews, whatever the other examples are. */
const ofLive: readonly EndpointId[] = ['assessments.sendTest']

/** Where the plain example is not the case that publishes. */
const publishing: Partial<Record<EndpointId, (world: World) => Promise<Example>>> = {
  'pairings.consent': (world) => declining(world, 'pairings.consent'),
  'rooms.consent': (world) => declining(world, 'rooms.consent'),
  'agent.uploads.begin': (world) => sameBytes(world, 'agent.uploads.begin'),
  'agent.systemAudio.begin': (world) => sameBytes(world, 'agent.systemAudio.begin'),
  'agent.events.ingest': async (world) =>
    withJson(await makeExample(world, 'agent.events.ingest'), {
      events: [anEvent(world.server, 'lane.health', { lane: 'screen', health: 'up' })],
    }),
}

for (const engine of everyEngine())
  describe(`published events (${engine})`, () => {
    let server: TestServer
    let world: World

    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
    })
    afterAll(() => server.stop())
    const settle = () => {
      server.clock.advance(settleMs)
      return server.processAll()
    }

    for (const id of allIds.filter((candidate) => specOf(candidate).emits))
      it(`${id} publishes exactly what it declares`, async () => {
        const example = await (publishing[id]?.(world) ?? makeExample(world, id))
        if (settling.includes(id)) await settle()
        const where: World = ofLive.includes(id) ? { ...world, scope: { ...world.scope, environment: 'live' } } : world
        const { seq } = await eventsSince(where, 0)
        const answer = await send(server.url, specOf(id), example)
        expect(answer.status, answer.text).toBeLessThan(300)
        if (settling.includes(id)) await settle()
        expect((await eventsSince(where, seq)).types).toEqual(specOf(id).emits)
      })

    it('every published envelope is what the catalogue says, in the list and in the outbox', async () => {
      const { eventCatalog, eventEnvelope } = await import('@integrity/protocol')
      const api = server.client(world.key)
      const { data } = await api.call('events.list', { query: { limit: 100 } })
      const rows = await server.app.db.reader.all<{ envelope: string }>(
        'SELECT envelope FROM events WHERE org_id = ? AND environment = ? ORDER BY seq DESC LIMIT 100',
        [world.scope.orgId, world.scope.environment],
      )
      expect(data.items).toEqual(rows.map((row) => JSON.parse(row.envelope) as unknown))
      expect(data.items.length).toBeGreaterThan(10)
      for (const item of data.items) {
        eventEnvelope.parse(item)
        const declared = eventCatalog.find((event) => event.type === item.type)
        expect(declared?.data.strict().parse(item.data)).toEqual(item.data)
      }
    })
  })
