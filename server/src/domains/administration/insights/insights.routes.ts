import type { HandlerMap } from '../../../kernel/handler.ts'
import { readInsights } from './insights.service.ts'
import { insightsView } from './insights.view.ts'

export const insightsRoutes = {
  'portal.insights.get': {
    read: async (call, { query }) => insightsView(await readInsights(call, { orgId: call.scope.orgId, asked: query })),
  },
} satisfies Partial<HandlerMap>
