import * as z from 'zod'
import { apiKey } from '../../core/auth.ts'
import { defineEndpoint } from '../../core/endpoint.ts'
import { deleted, emptyBody, id, listOf, paging, pagingQuery } from '../../core/primitives.ts'
import { eventTypes } from '../events/events.catalog.ts'
import {
  delivery,
  deliveryStatus,
  webhook,
  webhookCreate,
  webhookPatch,
  webhookWithSecret,
} from './webhooks.schemas.ts'

const read = { auth: [apiKey('webhooks:read')], success: [200], effect: 'read' } as const
const write = { auth: [apiKey('webhooks:write')], effect: 'write' } as const
const noBody = { body: emptyBody, bodyOptional: true } as const

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
    ...noBody,
    id: 'webhooks.rotateSecret',
    method: 'POST',
    path: '/v1/api/webhooks/{id}/rotate-secret',
    summary: 'Replace the signing secret; the previous one stops signing at once.',
    response: webhookWithSecret,
    success: [200],
  }),
  defineEndpoint({
    ...write,
    ...noBody,
    id: 'webhooks.test',
    method: 'POST',
    path: '/v1/api/webhooks/{id}/test',
    summary: 'Publish a real signed `webhook.test` event to this endpoint.',
    response: z.object({ eventId: id('evt'), deliveryId: id('dlv') }),
    success: [202],
    emits: ['webhook.test'],
  }),
  defineEndpoint({
    ...read,
    id: 'webhooks.deliveries.list',
    method: 'GET',
    path: '/v1/api/webhooks/{id}/deliveries',
    summary: 'The delivery log, newest first, with every attempt.',
    query: z.object({ ...paging, status: deliveryStatus.optional(), eventType: z.enum(eventTypes).optional() }),
    response: listOf(delivery),
  }),
  defineEndpoint({
    ...write,
    ...noBody,
    id: 'webhooks.deliveries.replay',
    method: 'POST',
    path: '/v1/api/webhooks/{id}/deliveries/{deliveryId}/replay',
    summary: 'Send a finished delivery again as a new one; the original history is kept.',
    response: delivery,
    success: [202],
  }),
] as const
