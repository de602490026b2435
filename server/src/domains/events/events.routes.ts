import type { HandlerMap } from '../../kernel/handler.ts'
import { listEvents } from './events.service.ts'
import { serveStream } from './events.stream.ts'

export const eventsRoutes = {
  'events.list': {
    read: ({ app, scope, input }) => listEvents(app.db.reader, scope, input.query),
  },
  'events.stream': { serve: serveStream },
} satisfies Partial<HandlerMap>
