import type { HandlerMap } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import { keysMadeBy } from '../../organisation/api-keys/api-keys.service.ts'
import { memberView } from '../../organisation/people/members.view.ts'
import { listMembers } from '../../organisation/people/memberships.service.ts'
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
    write: async (call, { params, body }) => {
      const member = await changeMember(call, { id: params.membershipId, change: body })
      if (member.active) return memberView(member)
      const keys = await keysMadeBy({ reader: call.tx }, { orgId: call.actor.orgId, userId: member.userId })
      const livingApiKeys = keys.map(({ id, label, environment, scopes }) => ({ id, label, environment, scopes }))
      return { ...memberView(member), livingApiKeys }
    },
  },
} satisfies Partial<HandlerMap>
