import * as z from 'zod'
import { anonymous, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { listOf, paging } from '../../../core/primitives.ts'
import * as s from './invites.schemas.ts'

const auth = [user('member.manage')] as const
const all = '/v1/orgs/{orgId}/invites'

/** For people who should agree before they are members. */
export const invitesEndpoints = [
  defineEndpoint({
    id: 'portal.invites.list',
    method: 'GET',
    path: all,
    summary: 'Invites of the organisation, newest first, those that are over included.',
    auth,
    query: z.object({ ...paging, ...s.inviteFilters }),
    response: listOf(s.invite),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.invites.create',
    grants: 'role',
    method: 'POST',
    path: all,
    summary: 'Invite somebody by e-mail; the link works for 7 days. Nobody gives a role beyond their own.',
    details: 'The answer is the same whether or not the address has an account. An address has one pending invite.',
    auth,
    body: s.inviteCreate,
    response: s.invite,
    success: [201],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.invites.resend',
    grants: 'role',
    method: 'POST',
    path: `${all}/{inviteId}/resend`,
    summary: 'Mail a pending invite again with a new link, for another 7 days; the link before ends.',
    auth,
    response: s.invite,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.invites.revoke',
    method: 'DELETE',
    path: `${all}/{inviteId}`,
    summary: 'End the link of a pending invite, which stays in the list. Again: the same answer.',
    auth,
    response: s.inviteRevoked,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'invites.inspect',
    additive: true,
    method: 'POST',
    path: '/v1/invites/inspect',
    summary: 'What the link of an invite is for, and whether it still works.',
    auth: [anonymous],
    body: s.inviteInspect,
    response: s.inviteFacts,
    success: [200],
    errors: ['not_found'],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'invites.accept',
    grants: 'sign_in',
    method: 'POST',
    path: '/v1/invites/accept',
    summary: 'Become a member by the link of an invite, and sign in; sets the httpOnly cookies.',
    details:
      'An address that has an account is asked for it: signed in, or with its password. Any other gets an account of that name and password. 401, 403 and 409 say in `reason`: `account_needed`, `wrong_address` (another account is signed in), `accepted`, `revoked`, `expired`, `replaced`, `already_member`, `deactivated`.',
    auth: [anonymous],
    setsCookies: true,
    body: s.inviteAccept,
    response: s.inviteAccepted,
    success: [200],
    errors: ['not_found', 'unauthorized', 'forbidden'],
    effect: 'write',
  }),
] as const
