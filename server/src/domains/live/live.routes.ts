import type { HandlerMap } from '../../kernel/handler.ts'
import { readLive } from './live.service.ts'

export const liveRoutes = {
  'sessions.live': {
    read: async (call, input) => readLive(call, { sessionId: input.params.id, query: input.query }),
  },
} satisfies Partial<HandlerMap>
