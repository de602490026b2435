import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { deleted, environment, listOf, paging } from '../../../core/primitives.ts'
import { webhook, webhookCreate, webhookPatch, webhookRotation, webhookWithSecret } from './webhooks.schemas.ts'

const auth = [user('webhook.manage')] as const
const read = { auth, success: [200], effect: 'read' } as const
const write = { auth, success: [200], effect: 'write' } as const
const rotation = { body: webhookRotation, bodyOptional: true } as const
const one = '/v1/orgs/{orgId}/webhooks/{endpointId}'

/** The same management for people; a portal user sees the endpoints of both environments. */
export const webhooksPortalEndpoints = [
  defineEndpoint({
    ...read,
    id: 'portal.webhooks.list',
    method: 'GET',
    path: '/v1/orgs/{orgId}/webhooks',
    summary: 'Webhook endpoints of both environments, newest first; never their secrets.',
    query: z.object({ ...paging, environment: environment.optional() }),
    response: listOf(webhook),
  }),
  defineEndpoint({
    ...write,
    id: 'portal.webhooks.create',
    grants: 'webhook_secret',
    method: 'POST',
    path: '/v1/orgs/{orgId}/webhooks',
    summary: 'Register an endpoint, live unless the body says sandbox. The signing secret is shown once.',
    body: webhookCreate.extend({ environment: environment.default('live') }),
    response: webhookWithSecret,
    success: [201],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.webhooks.patch',
    method: 'PATCH',
    path: one,
    summary: 'Change URL, subscribed types or status; re-enabling clears the failure count.',
    body: webhookPatch,
    response: webhook,
  }),
  defineEndpoint({
    ...write,
    id: 'portal.webhooks.delete',
    method: 'DELETE',
    path: one,
    summary: 'Delete the endpoint; queued deliveries stop.',
    response: deleted,
  }),
  defineEndpoint({
    ...write,
    ...rotation,
    id: 'portal.webhooks.rotateSecret',
    grants: 'webhook_secret',
    method: 'POST',
    path: `${one}/rotate-secret`,
    summary:
      'Replace the signing secret; the previous one stops signing at once, or after the overlap that you ask for.',
    response: webhookWithSecret,
  }),
] as const
