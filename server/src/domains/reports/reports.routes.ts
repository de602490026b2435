import type { HandlerMap } from '../../kernel/handler.ts'
import { buildReport, buildReviewStatus } from './reports.service.ts'

export const reportsRoutes = {
  'sessions.report': { read: async ({ app, scope, input }) => buildReport(app, scope, input.params.id) },
  'sessions.reviewStatus': { read: async ({ app, scope, input }) => buildReviewStatus(app, scope, input.params.id) },
} satisfies Partial<HandlerMap>
