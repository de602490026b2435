import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { downloadFilm } from './compositions.download.service.ts'
import {
  listCompositions,
  mintCompositionUrl,
  missingFfmpeg,
  requestRender,
  viewComposition,
} from './compositions.service.ts'

export const compositionsRoutes = {
  'sessions.compositions.list': {
    read: async (call, input) => listCompositions(call, { sessionId: input.params.id, query: input.query }),
  },
  'compositions.get': {
    write: async (call, input) => viewComposition(call, input.params.id),
  },
  'compositions.render': prepared({
    prepare: async (call) => missingFfmpeg(call),
    write: async (call, input, missing) => requestRender(call, { ref: input.params, missing }),
  }),
  'compositions.downloadUrl': {
    write: async (call, input) => mintCompositionUrl(call, input.params.id),
  },
  'compositions.content': {
    content: (call, input) => downloadFilm(call, input.params),
  },
  'portal.compositions.list': {
    read: async (call, input) => listCompositions(call, { sessionId: input.params.id, query: input.query }),
  },
  'portal.compositions.render': prepared({
    prepare: async (call) => missingFfmpeg(call),
    write: async (call, { params }, missing) =>
      requestRender(call, { ref: { id: params.compositionId, sessionId: params.id }, missing }),
  }),
  'portal.compositions.content': {
    content: (call, { params }) => downloadFilm(call, { id: params.compositionId, sessionId: params.id }),
  },
} satisfies Partial<HandlerMap>
