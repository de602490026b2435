import type { HandlerMap } from '../../kernel/handler.ts'
import { exportAudit } from './audit.export.service.ts'
import { readAudit } from './audit.list.service.ts'
import { reportChain } from './audit.service.ts'
import { auditPageView } from './audit.view.ts'

export const auditRoutes = {
  'portal.auditLogs.list': {
    read: async (call, { params, query }) => auditPageView(await readAudit(call, params.orgId, query)),
  },
  'portal.auditLogs.verify': { long: true, read: (call, { params }) => reportChain(call, params.orgId) },
  'portal.auditLogs.export': {
    long: true,
    content: (call, { params, query }) => exportAudit(call, params.orgId, query),
  },
} satisfies Partial<HandlerMap>
