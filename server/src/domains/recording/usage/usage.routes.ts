import type { HandlerMap } from '../../../kernel/handler.ts'
import { readUsage } from './usage.service.ts'
import { usageView } from './usage.view.ts'

export const usageRoutes = {
  'portal.usage.get': {
    read: async (call, { query }) => usageView(await readUsage(call, { orgId: call.scope.orgId, asked: query })),
  },
} satisfies Partial<HandlerMap>
