import type { HandlerMap } from '../../../kernel/handler.ts'
import { downloadBundle } from './bundles.service.ts'

export const bundlesRoutes = {
  'portal.sessions.bundle': {
    content: (call, { params, query }) =>
      downloadBundle(call, { sessionId: params.id, wanted: { audience: 'organisation', reports: true, query } }),
  },
  'sessions.bundle': {
    content: (call, { params, query }) =>
      downloadBundle(call, {
        sessionId: params.id,
        wanted: { audience: 'api', reports: call.actor.scopes.includes('reports:read'), query },
      }),
  },
} satisfies Partial<HandlerMap>
