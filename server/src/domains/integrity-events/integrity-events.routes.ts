import type { HandlerMap } from '../../kernel/handler.ts'
import { type List, pageView, readPage } from '../../kernel/paging.ts'
import { getSession } from '../sessions/sessions.read.service.ts'
import { ingestEvents, ingestTogether } from './integrity-events.ingest.service.ts'
import { type EventRow, eventCounts, listEvents } from './integrity-events.store.ts'
import { eventView } from './integrity-events.view.ts'

export const integrityEventsRoutes = {
  'sessions.events.list': {
    read: async (call, { params, query }) => {
      const { reader, scope } = call
      const session = await getSession(call, params.id)
      const { category } = query
      const list: List<EventRow> = {
        of: ['integrity-events', scope, session.id, category],
        kinds: ['number'],
        keyOf: ({ place }) => [place],
        fetch: (stretch) => listEvents(reader, scope, session.id, category, stretch),
      }
      const page = await readPage(list, query)
      const counts = await eventCounts(reader, scope, session.id, category)
      const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
      return { ...pageView(page, total, (row) => eventView(session.id, row)), counts }
    },
  },
  'agent.events.ingest': {
    write: async (call, input) => {
      const result = await ingestEvents(call, input.params.id, input.body.events)
      return { ...result, health: { backoffMs: call.load.backoffMs() } }
    },
    together: {
      limit: 8,
      subject: (input) => input.params.id,
      write: async (call, requests) => {
        const deliveries = requests.map(({ actor, input }) => ({
          actor,
          sessionId: input.params.id,
          events: input.body.events,
        }))
        const health = { backoffMs: call.load.backoffMs() }
        const outcomes = await ingestTogether(call, deliveries)
        return outcomes.map((outcome) =>
          outcome?.status === 'fulfilled' ? { status: 'fulfilled', value: { ...outcome.value, health } } : outcome,
        )
      },
    },
  },
} satisfies Partial<HandlerMap>
