import type { HandlerMap } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import {
  changeRetention,
  holdOrg,
  holdSession,
  previewDue,
  readRetention,
  readSessionHold,
} from './retention.service.ts'
import { dueView, retentionView, sessionHoldView } from './retention.view.ts'
import { latestSweep, runSweep } from './sweep.service.ts'
import { sweepRunView, sweepView } from './sweep.view.ts'

export const retentionRoutes = {
  'portal.retention.get': {
    read: async (call) => retentionView(await readRetention(call, call.scope.orgId)),
  },
  'portal.retention.put': {
    write: async (call, { body }) => retentionView(await changeRetention(call, body)),
  },
  'portal.retention.hold': {
    write: async (call, { body }) => retentionView(await holdOrg(call, body)),
  },
  'portal.retention.sessions.hold': {
    write: async (call, { params, body }) => {
      const { sessionId } = params
      return sessionHoldView(sessionId, await holdSession(call, { sessionId, placing: body }))
    },
  },
  'portal.retention.sessions.holdOf': {
    read: async (call, { params: { sessionId } }) => sessionHoldView(sessionId, await readSessionHold(call, sessionId)),
  },
  'portal.retention.preview': {
    long: true,
    read: async (call, { query }) => {
      const { page, total, totals } = await previewDue(call, { orgId: call.scope.orgId, ...query })
      return { ...pageView(page, total, dueView), totals }
    },
  },
  'portal.retention.run': {
    write: async (call, { body }) =>
      sweepRunView(await runSweep(call, { orgId: call.scope.orgId, maxObjects: body.maxObjects })),
  },
  'portal.retention.sweep': {
    read: async (call) => sweepView(await latestSweep(call, call.scope.orgId)),
  },
} satisfies Partial<HandlerMap>
