import type { HandlerMap } from '../../kernel/handler.ts'
import { pageView } from '../../kernel/paging.ts'
import { memberView } from '../people/members.view.ts'
import { listMembers } from '../people/memberships.service.ts'
import { addMember, changeMember } from './members.service.ts'

export const membersRoutes = {
  'portal.members.list': {
    read: async (call, { query }) => {
      const { page, total } = await listMembers(call, { orgId: call.scope.orgId, query })
      return pageView(page, total, memberView)
    },
  },
  'portal.members.add': {
    write: async (call, { body }) => memberView(await addMember(call, body)),
  },
  'portal.members.change': {
    write: async (call, { params, body }) =>
      memberView(await changeMember(call, { id: params.membershipId, change: body })),
  },
} satisfies Partial<HandlerMap>
