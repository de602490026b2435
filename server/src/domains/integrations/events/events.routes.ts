import type { HandlerMap } from '../../../kernel/handler.ts'
import { listEvents, memberFilters, pageOfEvents, readFilters } from './events.service.ts'
import { followEvents } from './events.stream.view.ts'

export const eventsRoutes = {
  'events.list': {
    read: (call, { query }) => listEvents(call, query),
  },
  'events.stream': {
    follow: (call, { query }) => followEvents(call, { filters: readFilters(query), lastEventId: query.lastEventId }),
  },
  'portal.events.list': {
    read: (call, { query: { environment, ...query } }) => {
      const scope = { orgId: call.scope.orgId, environment }
      return pageOfEvents({ ...call, scope }, { query, filters: memberFilters(call, query) })
    },
  },
  'portal.events.stream': {
    follow: (call, { query: { environment, ...query } }) => {
      const scope = { orgId: call.scope.orgId, environment }
      return followEvents({ ...call, scope }, { filters: memberFilters(call, query), lastEventId: query.lastEventId })
    },
  },
} satisfies Partial<HandlerMap>
