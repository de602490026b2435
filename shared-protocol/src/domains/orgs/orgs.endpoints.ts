import * as z from 'zod'
import { apiKey, scopes } from '../../core/auth.ts'
import { defineEndpoint } from '../../core/endpoint.ts'
import { environment, id, instant } from '../../core/primitives.ts'

const org = z.object({ id: id('org'), name: z.string(), slug: z.string(), createdAt: instant })

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
] as const
