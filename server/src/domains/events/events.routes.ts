import type { HandlerMap } from '../../kernel/handler.ts'
import { listEvents } from './events.service.ts'
import { followEvents } from './events.stream.view.ts'

export const eventsRoutes = {
  'events.list': {
    read: (call, input) => listEvents(call, input.query),
  },
  'events.stream': { follow: followEvents },
} satisfies Partial<HandlerMap>
