import * as z from 'zod'
import { account, anyAccount, apiKey, scopes, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { environment, id, listOf, pagingQuery } from '../../../core/primitives.ts'
import { org, orgCreate, orgDetail, ownOrg, secondFactor } from './orgs.schemas.ts'

export const orgsEndpoints = [
  defineEndpoint({
    id: 'orgs.self',
    method: 'GET',
    path: '/v1/api/orgs/self',
    summary: 'The organisation that the key belongs to.',
    auth: [apiKey('org:read')],
    response: org,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'orgs.me',
    method: 'GET',
    path: '/v1/api/me',
    summary: 'What the presented key is: organisation, label, environment and scopes.',
    auth: [apiKey('org:read')],
    response: z.object({
      keyId: id('key'),
      label: z.string(),
      environment,
      scopes: z.array(z.enum(scopes)),
      org: z.object({ id: id('org'), name: z.string(), slug: z.string() }),
    }),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.orgs.list',
    method: 'GET',
    path: '/v1/orgs',
    summary: 'The organisations that the caller is an active member of, with what they may do there.',
    auth: [anyAccount],
    query: pagingQuery,
    response: listOf(ownOrg),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.orgs.create',
    grants: 'organisation',
    method: 'POST',
    path: '/v1/orgs',
    summary: 'Make an organisation; the caller becomes its owner. An account owns ten at most.',
    auth: [account],
    body: orgCreate,
    response: ownOrg,
    success: [201],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.orgs.get',
    method: 'GET',
    path: '/v1/orgs/{orgId}',
    summary: 'An organisation, for its members.',
    auth: [user()],
    response: orgDetail,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.orgs.secondFactor.set',
    method: 'PUT',
    path: '/v1/orgs/{orgId}/second-factor',
    additive: true,
    summary: 'Require a second factor of every member, or no longer. In force on the next request.',
    details:
      'Members without one get 403 with the `reason` `second_factor_required` until they have added one. Who requires it has one.',
    auth: [user('sso.manage')],
    body: secondFactor,
    response: secondFactor,
    success: [200],
    effect: 'write',
  }),
] as const
