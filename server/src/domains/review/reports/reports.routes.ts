import type { HandlerMap } from '../../../kernel/handler.ts'
import { readCoverage } from './coverage.service.ts'
import { coverageView } from './coverage.view.ts'
import { exportReport, exportSession } from './exports.service.ts'
import { buildReport, buildReviewStatus } from './reports.service.ts'

export const reportsRoutes = {
  'sessions.report': { long: true, read: async (call, input) => buildReport(call, input.params.id) },
  'sessions.reviewStatus': { read: async (call, input) => buildReviewStatus(call, input.params.id) },
  'portal.report': { long: true, read: async (call, input) => buildReport(call, input.params.id) },
  'portal.coverage': {
    read: async (call, { params, query }) =>
      coverageView(params.id, await readCoverage(call, { sessionId: params.id, query })),
  },
  'portal.sessions.export': { long: true, content: (call, { params }) => exportSession(call, params.id) },
  'portal.report.export': {
    long: true,
    content: (call, { params, query }) => exportReport(call, { sessionId: params.id, wanted: query }),
  },
} satisfies Partial<HandlerMap>
