import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { listOf, paging } from '../../../core/primitives.ts'
import * as s from './members.schemas.ts'

const manage = [user('member.manage')] as const
const all = '/v1/orgs/{orgId}/members'

export const membersEndpoints = [
  defineEndpoint({
    id: 'portal.members.list',
    method: 'GET',
    path: all,
    summary: 'Members of the organisation, newest first, deactivated ones included.',
    auth: [user()],
    query: z.object({ ...paging, ...s.memberFilters }),
    response: listOf(s.member),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.members.add',
    grants: 'role',
    method: 'POST',
    path: all,
    summary:
      'Make somebody a member at once; the service tells them by e-mail. You cannot give a role with more permissions than your own.',
    auth: manage,
    body: s.memberAdd,
    response: s.member,
    success: [201],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.members.change',
    grants: 'role',
    method: 'PATCH',
    path: `${all}/{membershipId}`,
    summary: 'Change the built-in role, deactivate or reactivate. The last active owner stays one.',
    auth: manage,
    details:
      'Who is deactivated loses their sign-ins and the invites that they sent; API keys that they made go on, and are listed.',
    body: s.memberChange,
    response: s.memberChanged,
    success: [200],
    effect: 'write',
  }),
] as const
