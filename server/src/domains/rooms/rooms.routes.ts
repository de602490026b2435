import type { HandlerMap } from '../../kernel/handler.ts'
import { consentInRoom, readRoom, releaseRoom } from './rooms.service.ts'

export const roomsRoutes = {
  'rooms.get': {
    read: async ({ app, scope, actor, input }) => readRoom(app.db.reader, scope, actor, input.query.locale),
  },
  'rooms.consent': {
    write: async ({ app, tx, scope, actor, input }) => consentInRoom(app, tx, scope, actor, input.body),
  },
  'rooms.release': {
    write: async ({ app, tx, scope, actor }) => releaseRoom(app, tx, scope, actor),
  },
} satisfies Partial<HandlerMap>
