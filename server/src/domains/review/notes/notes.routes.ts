import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import { addNote, findAnchor, readNotes } from './notes.service.ts'
import { noteView } from './notes.view.ts'

export const notesRoutes = {
  'portal.notes.list': {
    read: async (call, { params, query }) => {
      const { page, total } = await readNotes(call, { sessionId: params.id, query })
      return pageView(page, total, noteView)
    },
  },
  'portal.notes.add': prepared<EndpointMap['portal.notes.add'], void>({
    prepare: (call, { params, body }) => findAnchor(call, { sessionId: params.id, anchor: body.anchor }),
    write: async (call, { params, body }) => noteView(await addNote(call, { sessionId: params.id, note: body })),
  }),
} satisfies Partial<HandlerMap>
