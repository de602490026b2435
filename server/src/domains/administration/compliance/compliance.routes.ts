import type { HandlerMap } from '../../../kernel/handler.ts'
import { readProcessing } from './compliance.service.ts'
import { processingView } from './compliance.view.ts'
import { exportStatement, readStatement, typedPaper } from './statement.service.ts'

export const complianceRoutes = {
  'portal.compliance.dataProcessing': {
    read: async (call) => processingView(await readProcessing(call, call.scope.orgId)),
  },
  'portal.compliance.sentences': {
    read: (call, { query }) => readStatement(call, { orgId: call.scope.orgId, locale: query.locale }),
  },
  'portal.compliance.paper': {
    content: (call, { query }) => typedPaper(call, query),
  },
  'portal.compliance.statement': {
    content: (call, { query }) => exportStatement(call, query),
  },
} satisfies Partial<HandlerMap>
