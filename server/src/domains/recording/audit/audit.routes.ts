import type { HandlerMap } from '../../../kernel/handler.ts'
import { accessPageView } from './audit.access.view.ts'
import { exportAudit } from './audit.export.service.ts'
import { readAccess, readAudit } from './audit.list.service.ts'
import { reportChain } from './audit.service.ts'
import { auditPageView } from './audit.view.ts'

export const auditRoutes = {
  'portal.auditLogs.list': {
    read: async (call, { params, query }) =>
      auditPageView(await readAudit(call, { orgId: params.orgId, query }), query.texts),
  },
  'portal.sessions.accessLog': {
    read: async (call, { params, query }) =>
      accessPageView(await readAccess(call, { orgId: call.scope.orgId, sessionId: params.id, query })),
  },
  'portal.auditLogs.verify': { long: true, read: (call, { params }) => reportChain(call, params.orgId) },
  'portal.auditLogs.export': {
    long: true,
    content: (call, { params, query }) => exportAudit(call, { orgId: params.orgId, query }),
  },
} satisfies Partial<HandlerMap>
