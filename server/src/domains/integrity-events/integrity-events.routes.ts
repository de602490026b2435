import type { HandlerMap } from '../../kernel/handler.ts'
import { getSession } from '../sessions/sessions.service.ts'
import { ingestEvents, ingestTogether } from './integrity-events.ingest.service.ts'
import { eventCounts, listEvents } from './integrity-events.store.ts'
import { eventView } from './integrity-events.view.ts'

export const integrityEventsRoutes = {
  'sessions.events.list': {
    read: async ({ app, scope, input: { params, query } }) => {
      const session = await getSession(app.db.reader, scope, params.id)
      const rows = await listEvents(app.db.reader, scope, session.id, query)
      const counts = await eventCounts(app.db.reader, scope, session.id)
      const { limit, offset } = query
      return { items: rows.map((row) => eventView(session.id, row)), total: session.eventCount, limit, offset, counts }
    },
  },
  'agent.events.ingest': {
    write: async ({ app, tx, scope, actor, input }) => {
      const result = await ingestEvents(app, tx, scope, actor, input.params.id, input.body.events)
      return { ...result, health: { backoffMs: app.load.backoffMs() } }
    },
    together: {
      limit: 8,
      subject: ({ input }) => input.params.id,
      write: async ({ app, tx, scope, calls }) => {
        const deliveries = calls.map(({ actor, input }) => ({
          actor,
          sessionId: input.params.id,
          events: input.body.events,
        }))
        const health = { backoffMs: app.load.backoffMs() }
        const outcomes = await ingestTogether(app, tx, scope, deliveries)
        return outcomes.map((outcome) =>
          outcome?.status === 'fulfilled' ? { status: 'fulfilled', value: { ...outcome.value, health } } : outcome,
        )
      },
    },
  },
} satisfies Partial<HandlerMap>
