import type { World } from '../world.ts'
import { scheduleSession } from '../world.ts'
import { type Examples, ofOrg } from './example.ts'

const ofSession = async (world: World) => {
  const { headers, params } = await ofOrg(world)
  const session = await scheduleSession(world.server.client(world.key))
  return { headers, params: { ...params, sessionId: session.id } }
}

export const retentionExamples = {
  'portal.retention.get': ofOrg,
  // As long as it can be, so that nothing of the world becomes due.
  'portal.retention.put': async (world) => ({ ...(await ofOrg(world)), json: { defaultDays: 3650 } }),
  // Released, so that other examples may erase.
  'portal.retention.hold': async (world) => ({ ...(await ofOrg(world)), json: { on: false } }),
  'portal.retention.sessions.holdOf': ofSession,
  'portal.retention.sessions.hold': async (world) => ({
    ...(await ofSession(world)),
    json: { on: true, reason: 'A dispute.' },
  }),
  'portal.retention.preview': async (world) => {
    const { headers, params } = await ofOrg(world)
    const query = { days: 3650 }
    const { data } = await world.server.client().call('portal.retention.preview', { headers, params, query })
    const api = world.server.client(world.key)
    for (let n = data.total; n < 3; n++) {
      const { id } = await scheduleSession(api)
      await api.call('sessions.end', { params: { id } })
    }
    return { headers, params, query: { days: '3650' } }
  },
  'portal.retention.run': async (world) => ({ ...(await ofOrg(world)), json: { maxObjects: 1 } }),
  'portal.retention.sweep': ofOrg,
} satisfies Examples
