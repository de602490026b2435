import type { HandlerMap } from '../../kernel/handler.ts'
import { buildReport, buildReviewStatus } from './reports.service.ts'

export const reportsRoutes = {
  'sessions.report': { long: true, read: async (call, input) => buildReport(call, input.params.id) },
  'sessions.reviewStatus': { read: async (call, input) => buildReviewStatus(call, input.params.id) },
} satisfies Partial<HandlerMap>
