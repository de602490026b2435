import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { usage, usageQuery } from './usage.schemas.ts'

/** How much an organisation keeps. */
export const usageEndpoints = [
  defineEndpoint({
    id: 'portal.usage.get',
    method: 'GET',
    path: '/v1/orgs/{orgId}/usage',
    summary: 'Storage: totals, by type, what came and went each day, the heaviest sessions.',
    auth: [user('insight.view')],
    query: usageQuery,
    response: usage,
    success: [200],
    effect: 'read',
  }),
] as const
