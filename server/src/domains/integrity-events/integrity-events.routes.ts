import type { HandlerMap } from '../../app/handler.ts'
import { getSession } from '../sessions/sessions.service.ts'
import { ingestEvents } from './integrity-events.service.ts'
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
  },
} satisfies Partial<HandlerMap>
