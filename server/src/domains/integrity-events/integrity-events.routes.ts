import type { HandlerMap } from '../../app/handler.ts'
import { getSession } from '../sessions/sessions.service.ts'
import { iso } from '../sessions/sessions.view.ts'
import { ingestEvents } from './integrity-events.service.ts'
import { type EventRow, eventCounts, listEvents } from './integrity-events.store.ts'

const eventView = (sessionId: string) => (row: EventRow) => ({
  ...row,
  sessionId,
  observedAt: iso(row.observedAt),
  receivedAt: iso(row.receivedAt),
  data: JSON.parse(row.data) as Record<string, never>,
})

export const integrityEventsRoutes = {
  'sessions.events.list': {
    read: async ({ app, scope, input: { params, query } }) => {
      const session = await getSession(app.db.reader, scope, params.id)
      const rows = await listEvents(app.db.reader, scope, session.id, query)
      const counts = await eventCounts(app.db.reader, scope, session.id)
      const { limit, offset } = query
      return { items: rows.map(eventView(session.id)), total: session.eventCount, limit, offset, counts }
    },
  },
  'agent.events.ingest': {
    write: async ({ app, tx, scope, actor, input }) => {
      const result = await ingestEvents(app, tx, scope, actor, input.params.id, input.body.events)
      return { ...result, health: { backoffMs: app.load.backoffMs() } }
    },
  },
} satisfies Partial<HandlerMap>
