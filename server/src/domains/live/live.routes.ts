import type { HandlerMap } from '../../kernel/handler.ts'
import { readLive } from './live.service.ts'

export const liveRoutes = {
  'sessions.live': {
    read: async (call, input) => readLive(call, input.params.id, input.query),
  },
} satisfies Partial<HandlerMap>
