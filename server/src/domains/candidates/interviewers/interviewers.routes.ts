import type { HandlerMap } from '../../../kernel/handler.ts'
import { iso } from '../../../kernel/time.ts'
import { scopeOfSession } from '../../interviews/sessions/sessions.read.service.ts'
import { correctInterviewer, removeInterviewer } from './interviewers.change.service.ts'
import { addInterviewer, openPage, readInterviewers } from './interviewers.service.ts'
import { interviewerView } from './interviewers.view.ts'

/** A person manages both environments: each call finds out where its session is. */
export const interviewersRoutes = {
  'portal.interviewers.list': {
    read: async (call, { params }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      const { recorded, rows } = await readInterviewers({ ...call, scope }, params.id)
      return { sessionId: params.id, recorded, interviewers: rows.map(interviewerView) }
    },
  },
  'portal.interviewers.add': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      return interviewerView(await addInterviewer({ ...call, scope }, { sessionId: params.id, input: body }))
    },
  },
  'portal.interviewers.correct': {
    write: async (call, { params: { id: sessionId, interviewerId }, body: correction }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId })
      return interviewerView(await correctInterviewer({ ...call, scope }, { sessionId, interviewerId, correction }))
    },
  },
  'portal.interviewers.remove': {
    write: async (call, { params: { id: sessionId, interviewerId } }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId })
      const { id, removedAt } = await removeInterviewer({ ...call, scope }, { sessionId, interviewerId })
      return { id, removedAt: iso(removedAt) }
    },
  },
  'interviewers.inspect': {
    write: async (call) => openPage(call),
  },
} satisfies Partial<HandlerMap>
