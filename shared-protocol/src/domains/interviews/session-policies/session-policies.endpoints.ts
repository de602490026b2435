import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { listOf } from '../../../core/primitives.ts'
import * as s from './session-policies.schemas.ts'

/** Whoever sees sessions sees what they are made with. */
const read = { auth: [user('session.view')], method: 'GET', success: [200], effect: 'read' } as const
const write = { auth: [user('policy.manage')], effect: 'write' } as const
const all = '/v1/orgs/{orgId}/policies'
const one = `${all}/{policyId}` as const

/** What an organisation captures in its interviews, under a name and in versions that never change. */
export const sessionPoliciesEndpoints = [
  defineEndpoint({
    ...read,
    id: 'portal.policies.list',
    path: all,
    summary:
      'Integrity policies with their latest version, newest first; the active ones unless `state` says otherwise.',
    query: s.policyListQuery,
    response: listOf(s.sessionPolicy),
  }),
  defineEndpoint({
    ...write,
    id: 'portal.policies.create',
    method: 'POST',
    path: all,
    summary: 'Save a policy as version 1.',
    body: s.policyCreate,
    response: s.sessionPolicy,
    success: [201],
  }),
  defineEndpoint({
    ...read,
    id: 'portal.policies.get',
    path: one,
    summary: 'A policy with all its versions, newest first.',
    response: s.sessionPolicyDetail,
  }),
  defineEndpoint({
    ...write,
    id: 'portal.policies.patch',
    method: 'PATCH',
    path: one,
    summary: 'Change name or description. A new version changes what the policy captures.',
    body: s.policyPatch,
    response: s.sessionPolicy,
    success: [200],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.policies.versions.create',
    method: 'POST',
    path: `${one}/versions`,
    summary: 'Write the next version, complete. Sessions keep what they were made with.',
    body: s.policyVersionCreate,
    response: s.sessionPolicy,
    success: [201],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.policies.duplicate',
    method: 'POST',
    path: `${one}/duplicate`,
    summary: 'Copy the latest version into a new policy, as its version 1; of an archived one, too.',
    body: s.policyDuplicate,
    bodyOptional: true,
    response: s.sessionPolicy,
    success: [201],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.policies.archive',
    method: 'POST',
    path: `${one}/archive`,
    summary: 'Offer it for no new session. Its versions stay readable. Again: the same answer.',
    body: s.policyArchive,
    bodyOptional: true,
    response: s.sessionPolicy,
    success: [200],
  }),
] as const
