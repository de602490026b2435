import { anonymous, deskOperator } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody } from '../../../core/primitives.ts'
import * as s from './access-requests.schemas.ts'

const all = '/v1/access-requests'
const byDesk = { auth: [deskOperator], method: 'POST', success: [200], effect: 'write' } as const
const byToken = { auth: [anonymous], method: 'POST', success: [200], effect: 'write' } as const

/** How an organisation comes to be: a request, a decision, an invitation to its first owner. */
export const accessRequestsEndpoints = [
  defineEndpoint({
    id: 'accessRequests.availability',
    method: 'GET',
    path: `${all}/availability`,
    summary: 'Whether anybody may ask for an organisation.',
    auth: [anonymous],
    response: s.accessAvailability,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'accessRequests.create',
    method: 'POST',
    path: all,
    summary: 'Ask for an organisation. The answer is the same whether or not the address has asked already.',
    auth: [anonymous],
    body: s.accessRequestCreate,
    response: s.accessAccepted,
    success: [202],
    errors: ['forbidden'],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'accessRequests.list',
    method: 'GET',
    path: all,
    summary: 'What was asked for, newest first.',
    auth: [deskOperator],
    query: s.accessRequestListQuery,
    response: s.accessRequestPage,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'accessRequests.insights',
    method: 'GET',
    path: `${all}/insights`,
    summary: 'The progress of the requests of a period.',
    auth: [deskOperator],
    query: s.accessInsightsQuery,
    response: s.accessInsights,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    ...byDesk,
    id: 'accessRequests.approve',
    grants: 'organisation',
    path: `${all}/{id}/approve`,
    summary: 'Approve a pending request; mails the invitation to its first owner.',
    body: emptyBody,
    bodyOptional: true,
    response: s.accessRequest,
  }),
  defineEndpoint({
    ...byDesk,
    id: 'accessRequests.decline',
    path: `${all}/{id}/decline`,
    summary: 'Decline a pending request; the service tells its sender by mail.',
    body: s.accessDeclineBody,
    bodyOptional: true,
    response: s.accessRequest,
  }),
  defineEndpoint({
    ...byDesk,
    id: 'accessRequests.resendInvite',
    grants: 'organisation',
    path: `${all}/{id}/resend-invite`,
    summary: 'Mail the owner invitation of an approved request again, with a new link; the one before ends.',
    response: s.accessRequest,
  }),
  defineEndpoint({
    ...byToken,
    id: 'ownerInvites.inspect',
    path: `${all}/owner-invite/inspect`,
    summary: 'What an owner invitation is for, and whether it still works.',
    body: s.ownerInviteBody,
    response: s.ownerInvite,
    errors: ['not_found'],
  }),
  defineEndpoint({
    ...byToken,
    id: 'ownerInvites.accept',
    grants: 'sign_in',
    path: `${all}/owner-invite/accept`,
    summary: 'Make the organisation and its owner, and sign in; sets the httpOnly cookies.',
    details:
      'An address that has an account is asked for it: signed in, or with its password. Any other gets an account of that name and password.',
    setsCookies: true,
    body: s.ownerInviteAccept,
    response: s.ownerInviteAccepted,
    success: [201],
    errors: ['not_found', 'unauthorized', 'forbidden'],
  }),
  defineEndpoint({
    ...byToken,
    id: 'ownerInvites.renew',
    grants: 'account_link',
    path: `${all}/owner-invite/renew`,
    summary:
      'Have a fresh link sent to the same address in place of one that has expired, once an hour. The answer is always the same.',
    body: s.ownerInviteBody,
    response: s.accessAccepted,
    success: [202],
  }),
] as const
