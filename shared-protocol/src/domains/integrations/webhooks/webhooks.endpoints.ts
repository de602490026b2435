import { apiKey } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { deleted, listOf, pagingQuery } from '../../../core/primitives.ts'
import { webhook, webhookCreate, webhookPatch, webhookRotation, webhookWithSecret } from './webhooks.schemas.ts'

const read = { auth: [apiKey('webhooks:read')], success: [200], effect: 'read' } as const
const write = { auth: [apiKey('webhooks:write')], effect: 'write' } as const
const rotation = { body: webhookRotation, bodyOptional: true } as const

export const webhooksEndpoints = [
  defineEndpoint({
    ...read,
    id: 'webhooks.list',
    method: 'GET',
    path: '/v1/api/webhooks',
    summary: "Webhook endpoints of the key's environment, newest first; never their secrets.",
    query: pagingQuery,
    response: listOf(webhook),
  }),
  defineEndpoint({
    ...write,
    id: 'webhooks.create',
    grants: 'webhook_secret',
    method: 'POST',
    path: '/v1/api/webhooks',
    summary: 'Register an endpoint. The signing secret is in this answer and never again.',
    body: webhookCreate,
    response: webhookWithSecret,
    success: [201],
  }),
  defineEndpoint({
    ...read,
    id: 'webhooks.get',
    method: 'GET',
    path: '/v1/api/webhooks/{id}',
    summary: 'Configuration and delivery health of one endpoint.',
    response: webhook,
  }),
  defineEndpoint({
    ...write,
    id: 'webhooks.patch',
    method: 'PATCH',
    path: '/v1/api/webhooks/{id}',
    summary: 'Change URL, subscribed types or status; re-enabling clears the failure count.',
    body: webhookPatch,
    response: webhook,
    success: [200],
  }),
  defineEndpoint({
    ...write,
    id: 'webhooks.delete',
    method: 'DELETE',
    path: '/v1/api/webhooks/{id}',
    summary: 'Delete the endpoint; queued deliveries stop.',
    response: deleted,
    success: [200],
  }),
  defineEndpoint({
    ...write,
    ...rotation,
    id: 'webhooks.rotateSecret',
    grants: 'webhook_secret',
    method: 'POST',
    path: '/v1/api/webhooks/{id}/rotate-secret',
    summary:
      'Replace the signing secret; the previous one stops signing at once, or after the overlap that you ask for.',
    response: webhookWithSecret,
    success: [200],
  }),
] as const
