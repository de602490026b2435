import type { HandlerMap } from '../../../kernel/handler.ts'
import { readProcessing } from './compliance.service.ts'
import { processingView } from './compliance.view.ts'

export const complianceRoutes = {
  'portal.compliance.dataProcessing': {
    read: async (call) => processingView(await readProcessing(call, call.scope.orgId)),
  },
} satisfies Partial<HandlerMap>
