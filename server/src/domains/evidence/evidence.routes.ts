import type { HandlerMap } from '../../kernel/handler.ts'
import { serveContent } from './evidence.download.service.ts'
import { listEvidence, mintDownloadUrl, viewEvidence } from './evidence.service.ts'

export const evidenceRoutes = {
  'sessions.evidence.list': {
    read: async (call, { params, query }) =>
      listEvidence(call, params.id, { ...query, evidenceType: query.evidence_type }),
  },
  'evidence.get': {
    write: async (call, input) => viewEvidence(call, input.params.id),
  },
  'evidence.downloadUrl': {
    write: async (call, input) => mintDownloadUrl(call, input.params.id),
  },
  'evidence.content': {
    serve: (call, input, koa) => serveContent(call, input.params.id, koa),
  },
  'portal.evidence.list': {
    read: async (call, { params, query }) =>
      listEvidence(call, params.id, { ...query, evidenceType: query.evidence_type }),
  },
  'portal.evidence.get': {
    write: async (call, input) => viewEvidence(call, input.params.id),
  },
  'portal.evidence.content': {
    serve: (call, input, koa) => serveContent(call, input.params.id, koa),
  },
} satisfies Partial<HandlerMap>
