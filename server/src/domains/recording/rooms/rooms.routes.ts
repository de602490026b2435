import type { HandlerMap } from '../../../kernel/handler.ts'
import { consentInRoom, readRoom, releaseRoom } from './rooms.service.ts'

export const roomsRoutes = {
  'rooms.get': {
    read: async (call, input) => readRoom(call, input.query.locale),
  },
  'rooms.consent': {
    write: async (call, input) => consentInRoom(call, input.body),
  },
  'rooms.release': {
    write: async (call) => releaseRoom(call),
  },
} satisfies Partial<HandlerMap>
