import type { HandlerMap } from '../../../kernel/handler.ts'
import { readLive } from './live.service.ts'
import { readWall } from './wall.service.ts'

export const liveRoutes = {
  'sessions.live': {
    read: async (call, input) => readLive(call, { sessionId: input.params.id, query: input.query }),
  },
  'portal.live.list': { long: true, read: (call, { query }) => readWall(call, query) },
} satisfies Partial<HandlerMap>
