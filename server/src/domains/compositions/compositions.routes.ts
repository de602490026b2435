import { type HandlerMap, prepared } from '../../kernel/handler.ts'
import { serveFilm } from './compositions.download.service.ts'
import {
  listCompositions,
  mintCompositionUrl,
  missingFfmpeg,
  requestRender,
  viewComposition,
} from './compositions.service.ts'

export const compositionsRoutes = {
  'sessions.compositions.list': {
    read: async ({ app, scope, input }) => listCompositions(app, scope, input.params.id, input.query),
  },
  'compositions.get': {
    write: async ({ app, tx, scope, actor, input }) => viewComposition(app, tx, scope, actor, input.params.id),
  },
  'compositions.render': prepared({
    prepare: async ({ app }) => missingFfmpeg(app),
    write: async ({ app, tx, scope, actor, input }, missing) =>
      requestRender(app, tx, scope, actor, input.params, missing),
  }),
  'compositions.downloadUrl': {
    write: async ({ app, tx, scope, actor, input }) => mintCompositionUrl(app, tx, scope, actor, input.params.id),
  },
  'compositions.content': { serve: async (call, koa) => serveFilm(call, koa, call.input.params) },
  'portal.compositions.list': {
    read: async ({ app, scope, input }) => listCompositions(app, scope, input.params.id, input.query),
  },
  'portal.compositions.render': prepared({
    prepare: async ({ app }) => missingFfmpeg(app),
    write: async ({ app, tx, scope, actor, input: { params } }, missing) =>
      requestRender(app, tx, scope, actor, { id: params.compositionId, sessionId: params.id }, missing),
  }),
  'portal.compositions.content': {
    serve: async (call, koa) => {
      const { id, compositionId } = call.input.params
      return serveFilm(call, koa, { id: compositionId, sessionId: id })
    },
  },
} satisfies Partial<HandlerMap>
