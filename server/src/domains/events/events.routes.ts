import type { HandlerMap } from '../../kernel/handler.ts'
import { listEvents } from './events.service.ts'
import { serveStream } from './events.stream.ts'

export const eventsRoutes = {
  'events.list': {
    read: (call, input) => listEvents(call, input.query),
  },
  'events.stream': { serve: serveStream },
} satisfies Partial<HandlerMap>
