import {
  agentLanes,
  type EndpointSpec,
  integrityEventKinds,
  type LaneName,
  laneNames,
  sessionBounds,
} from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../test-support/engines.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { portalCookie } from '../test-support/portal.ts'
import { plantFullRemarks } from '../test-support/remarks.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { longestTurnOf, paceOfHere } from '../test-support/turns.ts'
import { anEvent, aSegment, buildWorld, newClientId, newPicture, stillFor, type World } from '../test-support/world.ts'
import { allIds } from './common.ts'

/** No turn of the event loop takes longer, of the processor: what waits beside it is never held up for more. */
const longestTurnMs = 25
/** What is signed is read, written as canonical text and hashed in one transaction, so that nothing comes between. */
const signingTurnMs = 200
const runs = 4
const batch = 500
const longText = 'x'.repeat(8000)

const reads = allIds.filter((id) => {
  const { effect, method, kind } = specOf(id)
  return method === 'GET' && effect === 'read' && kind !== 'sse'
})

const expectShort = (name: string, turns: readonly number[], mostMs = longestTurnMs): void => {
  const words = `${name}: ${turns.map((ms) => ms.toFixed(1)).join(', ')}`
  if (process.env['SHOW_TURNS']) console.log(words)
  expect(Math.min(...turns), words).toBeLessThan(mostMs * paceOfHere())
}

const largestPage = ({ query }: EndpointSpec): Record<string, string> =>
  query && 'limit' in query._zod.def.shape ? { limit: '100' } : {}

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))

for (const engine of everyEngine())
  describe(`a session that holds the most of everything (${engine})`, () => {
    let server: TestServer
    let world: World

    const iso = (ms: number) => new Date(server.clock.now() + ms).toISOString()
    const span = (n: number) => ({ fromAt: iso(20 * n), toAt: iso(20 * n + 10) })
    const ingest = async (events: ReturnType<typeof anEvent>[]) => {
      const agent = server.client(world.live.agent)
      for (let at = 0; at < events.length; at += batch)
        await agent.call('agent.events.ingest', {
          params: { id: world.live.id },
          body: { events: events.slice(at, at + batch) },
        })
    }
    const events = () => {
      const displays = times(sessionBounds.displays, (n) => `display-${n}`.padEnd(100, 'd'))
      const lane = (n: number): LaneName => agentLanes[n % agentLanes.length]!
      const health = laneNames.flatMap((name) =>
        displays.map((displayId) => anEvent(server, 'lane.health', { lane: name, displayId, health: 'up' })),
      )
      const gaps = times(sessionBounds.gaps, (n) =>
        anEvent(server, 'lane.gap', { lane: lane(n), displayId: displays[n % 16]!, ...span(n), reason: 'paused' }),
      )
      const windows = times(sessionBounds.windows, (n) => ({
        ...anEvent(server, 'lane.coverage', { lane: lane(n), displayId: displays[n % 16]!, ...span(n) }),
        data: { lane: lane(n), displayId: displays[n % 16]!, ...span(n), expectedSeconds: 5, observedSeconds: 1 },
      }))
      const known = Object.entries(integrityEventKinds).filter(([, { read }]) => !read)
      const kinds = known.map(([kind]) => anEvent(server, kind, { text: longText }))
      const others = times(sessionBounds.otherKinds, (n) =>
        anEvent(server, `own.${n}_`.padEnd(64, 'k'), { text: longText }),
      )
      return { small: [...health, ...gaps, ...windows], large: [...kinds, ...others] }
    }

    beforeAll(async () => {
      server = await startServer({ engine, overrides: { answerCheck: 'sampled' } })
      world = await buildWorld(server)
      const { small, large } = events()
      await ingest(large.slice(0, 200))
      await ingest(large.slice(200))
      await ingest(small)
      const said = (n: number) => ({ clientId: newClientId(), at: iso(n), recording: 'interrupted' as const })
      for (let n = 0; n < 20; n++)
        await server.client(world.live.companion).call('pairings.presence', {
          params: { sessionId: world.live.id },
          body: { beats: times(batch, (i) => said(n * batch + i)) },
        })
      const agent = server.client(world.live.agent)
      const params = { id: world.live.id }
      const segments = times(400, (n) => ({ ...aSegment(100 + n), text: 'w'.repeat(4000) }))
      for (let at = 0; at < 400; at += 100)
        await agent.call('agent.transcript.upsert', { params, body: { segments: segments.slice(at, at + 100) } })
      for (let n = 0; n < 100; n++) {
        const picture = await newPicture()
        await agent.call('agent.screenshots.upload', {
          params,
          body: {
            ...stillFor(server, picture),
            displayId: `display-${n}`.padEnd(100, 'd'),
            data: picture.toString('base64'),
          },
        })
      }
      await plantFullRemarks(server, world.scope, world.live.id)
    }, 300_000)
    afterAll(() => server.stop())

    for (const id of reads)
      it(`does not hold the server up when ${id} is asked`, async () => {
        const spec = specOf(id)
        const turns: number[] = []
        // The first compiles the code; one that meets a collection of garbage says nothing of the endpoint.
        for (let run = 0; run < runs; run++) {
          const example = await makeExample(world, id)
          turns.push(
            await longestTurnOf(async () => {
              const answer = await send(server.url, spec, {
                ...example,
                query: { ...largestPage(spec), ...example.query },
              })
              expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(400)
              expect(answer.text.length).toBeLessThan(4 * 1024 * 1024)
            }),
          )
        }
        expectShort(id, turns)
      })

    it('does not hold the server up when its report is signed off and taken away', async () => {
      const headers = await portalCookie(server, 'owner', world.scope.orgId)
      const params = { id: world.live.id }
      const portal = server.client()
      await server.client(world.key).call('sessions.end', { params })
      const take = (format: 'json' | 'pdf') =>
        portal.call('portal.report.export', { params, headers, query: { format } })
      const steps = {
        signOff: async (run: number) =>
          void (await portal.call('portal.report.signOff', { params, headers, body: { expectedRevision: run } })),
        json: async () => void (await take('json')),
        pdf: async () => void (await take('pdf')),
      }
      for (const [name, step] of Object.entries(steps)) {
        const turns: number[] = []
        for (let run = 0; run < runs; run++) turns.push(await longestTurnOf(() => step(run)))
        expectShort(name, turns, name === 'json' ? 2 * longestTurnMs : signingTurnMs)
      }
    }, 300_000)
  })
