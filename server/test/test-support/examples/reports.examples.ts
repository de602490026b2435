import { anEvent, oncePerWorld } from '../world.ts'
import { type Examples, ofUser } from './example.ts'

/** One more fact that a published rule names, so that there is something to page. */
const withHint = oncePerWorld(async ({ server, live }) => {
  const body = { events: [anEvent(server, 'vm.hint')] }
  await server.client(live.agent).call('agent.events.ingest', { params: { id: live.id }, body })
})

export const reportsExamples = {
  'portal.report': ofUser,
  'portal.coverage': async (world) => {
    await withHint(world)
    return ofUser(world)
  },
  'portal.sessions.export': ofUser,
  'portal.report.export': ofUser,
} satisfies Examples
