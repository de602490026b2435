import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { deleted, wholePagingQuery } from '../../../core/primitives.ts'
import { member } from '../members/members.schemas.ts'
import * as s from './roles.schemas.ts'

const manage = [user('role.manage')] as const
const all = '/v1/orgs/{orgId}/roles'
const one = `${all}/{roleId}` as const

export const rolesEndpoints = [
  defineEndpoint({
    id: 'portal.roles.list',
    method: 'GET',
    path: all,
    summary: 'The custom roles by name, and the matrix of permissions and built-in roles.',
    auth: [user()],
    query: wholePagingQuery,
    response: s.roleList,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.roles.create',
    grants: 'role',
    method: 'POST',
    path: all,
    summary: 'Define a custom role, with permissions that one holds oneself.',
    auth: manage,
    body: s.roleCreate,
    response: s.role,
    success: [201],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.roles.change',
    grants: 'role',
    method: 'PATCH',
    path: one,
    summary: "Change a role's name, description or permissions; in force on its holders' next requests.",
    auth: manage,
    body: s.roleChange,
    response: s.role,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.roles.delete',
    grants: 'role',
    method: 'DELETE',
    path: one,
    summary: 'Delete a role; its holders return to their built-in role.',
    auth: manage,
    response: deleted,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.roles.assign',
    grants: 'role',
    method: 'PUT',
    path: `${all}/assignments/{membershipId}`,
    summary: 'Give a member a custom role, or clear it back to the built-in one. Owners cannot be given one.',
    auth: manage,
    body: s.assignment,
    response: member,
    success: [200],
    effect: 'write',
  }),
] as const
