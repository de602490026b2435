import type { HandlerMap } from '../../../kernel/handler.ts'
import { readReelIndex } from './reel-index.service.ts'
import { readReel } from './reels.service.ts'

export const reelsRoutes = {
  'sessions.reelIndex.get': { long: true, read: (call, { params }) => readReelIndex(call, params.id) },
  'portal.reelIndex.get': { long: true, read: (call, { params }) => readReelIndex(call, params.id) },
  'sessions.reels.get': {
    content: (call, { params: { id: sessionId, source }, query }) => readReel(call, { ...query, sessionId, source }),
  },
  'portal.reels.get': {
    content: (call, { params: { id: sessionId, source }, query }) => readReel(call, { ...query, sessionId, source }),
  },
} satisfies Partial<HandlerMap>
