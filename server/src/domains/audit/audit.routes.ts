import type { HandlerMap } from '../../kernel/handler.ts'
import { exportAudit } from './audit.export.service.ts'
import { readAccess, readAudit } from './audit.list.service.ts'
import { reportChain } from './audit.service.ts'
import { accessPageView, auditPageView } from './audit.view.ts'

export const auditRoutes = {
  'portal.auditLogs.list': {
    read: async (call, { params, query }) => auditPageView(await readAudit(call, params.orgId, query)),
  },
  'portal.sessions.accessLog': {
    read: async (call, { params, query }) => accessPageView(await readAccess(call, call.scope.orgId, params.id, query)),
  },
  'portal.auditLogs.verify': { long: true, read: (call, { params }) => reportChain(call, params.orgId) },
  'portal.auditLogs.export': {
    long: true,
    content: (call, { params, query }) => exportAudit(call, params.orgId, query),
  },
} satisfies Partial<HandlerMap>
