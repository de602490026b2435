import type { HandlerMap } from '../../../kernel/handler.ts'
import { scopeOfSession } from '../../interviews/sessions/sessions.read.service.ts'
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
  'interviewers.inspect': {
    write: async (call) => openPage(call),
  },
} satisfies Partial<HandlerMap>
