import type { HandlerMap } from '../../../kernel/handler.ts'
import { wholeView } from '../../../kernel/paging.ts'
import { memberView } from '../../organisation/people/members.view.ts'
import { holderCounts } from '../../organisation/people/memberships.service.ts'
import { assignRole, changeRole, createRole, removeRole, rolesOf } from './roles.service.ts'
import { matrix, roleView } from './roles.view.ts'

export const rolesRoutes = {
  'portal.roles.list': {
    read: async (call, { query }) => {
      const { orgId } = call.scope
      const counts = await holderCounts(call, orgId)
      const roles = await rolesOf(call, orgId)
      const view = (role: (typeof roles)[number]) => roleView(role, counts.get(role.id) ?? 0)
      return { ...(await wholeView(roles, { name: 'roles', query, view })), matrix }
    },
  },
  'portal.roles.create': {
    write: async (call, { body }) => roleView(await createRole(call, body), 0),
  },
  'portal.roles.change': {
    write: async (call, { params, body }) => {
      const role = await changeRole(call, { id: params.roleId, change: body })
      return roleView(role, (await holderCounts(call, call.scope.orgId)).get(role.id) ?? 0)
    },
  },
  'portal.roles.delete': {
    write: async (call, { params }) => {
      await removeRole(call, params.roleId)
      return { id: params.roleId, deleted: true as const }
    },
  },
  'portal.roles.assign': {
    write: async (call, { params, body }) =>
      memberView(await assignRole(call, { membershipId: params.membershipId, roleId: body.roleId })),
  },
} satisfies Partial<HandlerMap>
