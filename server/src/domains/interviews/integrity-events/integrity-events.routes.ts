import type { HandlerMap } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import { ingestEvents, ingestTogether } from './integrity-events.ingest.service.ts'
import { readEvents } from './integrity-events.service.ts'
import { eventView } from './integrity-events.view.ts'

export const integrityEventsRoutes = {
  'sessions.events.list': {
    read: async (call, { params, query }) => {
      const { page, total, counts } = await readEvents(call, { sessionId: params.id, query })
      return { ...pageView(page, total, (row) => eventView(params.id, row)), counts }
    },
  },
  'agent.events.ingest': {
    write: async (call, input) => {
      const result = await ingestEvents(call, { sessionId: input.params.id, events: input.body.events })
      return { ...result, health: { backoffMs: call.load.backoffMs() } }
    },
    together: {
      limit: 8,
      subject: (input) => input.params.id,
      write: async (call, requests) => {
        const health = { backoffMs: call.load.backoffMs() }
        const outcomes = await ingestTogether(
          call,
          requests.map(({ actor, requestId, input: { params, body } }) => ({
            actor,
            requestId,
            sessionId: params.id,
            events: body.events,
          })),
        )
        return outcomes.map((outcome) =>
          outcome?.status === 'fulfilled' ? { status: 'fulfilled', value: { ...outcome.value, health } } : outcome,
        )
      },
    },
  },
} satisfies Partial<HandlerMap>
