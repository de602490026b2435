import type { HandlerMap } from '../../../kernel/handler.ts'
import { readWholeTimeline } from './timeline.derived.service.ts'

export const reportsTimelineRoutes = {
  'portal.timeline': {
    read: (call, { params, query }) => readWholeTimeline(call, { sessionId: params.id, query }),
  },
} satisfies Partial<HandlerMap>
