import { anEvent, nowIso, type World } from '../world.ts'
import { type Examples, ofAgent, ofKey } from './example.ts'

const laneUp = { lane: 'screen', displayId: 'd1', health: 'up', reason: 'frames came' }
const gapEvent = (server: World['server']) => {
  const span = { fromAt: new Date(server.clock.now() - 5000).toISOString(), toAt: nowIso(server) }
  return anEvent(server, 'lane.gap', { lane: 'screen', displayId: 'd1', reason: 'paused', ...span })
}

export const integrityEventsExamples = {
  'sessions.events.list': ofKey,
  'agent.events.ingest': (world) => ({
    ...ofAgent(world),
    json: { events: [anEvent(world.server), gapEvent(world.server), anEvent(world.server, 'lane.health', laneUp)] },
  }),
} satisfies Examples
