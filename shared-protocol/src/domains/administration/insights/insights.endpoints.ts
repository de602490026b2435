import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { insights, insightsQuery } from './insights.schemas.ts'

/** How an organisation's own work goes. */
export const insightsEndpoints = [
  defineEndpoint({
    id: 'portal.insights.get',
    method: 'GET',
    path: '/v1/orgs/{orgId}/insights',
    summary: 'Milestones, how far sessions and invitations came, how long reviews take and what waits.',
    details: 'Of the live environment, but for the first sandbox session. Nothing here is about one person.',
    auth: [user('insight.view')],
    query: insightsQuery,
    response: insights,
    success: [200],
    effect: 'read',
  }),
] as const
