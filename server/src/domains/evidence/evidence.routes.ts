import type { HandlerMap } from '../../kernel/handler.ts'
import { serveContent } from './evidence.download.service.ts'
import { listEvidence, mintDownloadUrl, viewEvidence } from './evidence.service.ts'

export const evidenceRoutes = {
  'sessions.evidence.list': {
    read: async ({ app, scope, input: { params, query } }) =>
      listEvidence(app.db.reader, scope, params.id, { ...query, evidenceType: query.evidence_type }),
  },
  'evidence.get': {
    write: async ({ app, tx, scope, actor, input }) => viewEvidence(app, tx, scope, actor, input.params.id),
  },
  'evidence.downloadUrl': {
    write: async ({ app, tx, scope, actor, input }) => mintDownloadUrl(app, tx, scope, actor, input.params.id),
  },
  'evidence.content': { serve: serveContent },
  'portal.evidence.list': {
    read: async ({ app, scope, input: { params, query } }) =>
      listEvidence(app.db.reader, scope, params.id, { ...query, evidenceType: query.evidence_type }),
  },
  'portal.evidence.get': {
    write: async ({ app, tx, scope, actor, input }) => viewEvidence(app, tx, scope, actor, input.params.id),
  },
  'portal.evidence.content': { serve: serveContent },
} satisfies Partial<HandlerMap>
