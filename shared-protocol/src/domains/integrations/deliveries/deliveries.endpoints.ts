import * as z from 'zod'
import { apiKey } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody, id, listOf, paging } from '../../../core/primitives.ts'
import { eventTypeFilter } from '../events/events.catalog.ts'
import { delivery, deliveryStatus } from './deliveries.schemas.ts'

const read = { auth: [apiKey('webhooks:read')], success: [200], effect: 'read' } as const
const write = { auth: [apiKey('webhooks:write')], effect: 'write' } as const
const noBody = { body: emptyBody, bodyOptional: true } as const

/** What is sent to an endpoint: its test, its log, its replays. */
export const deliveriesEndpoints = [
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
    summary: 'The delivery log, newest first, with every attempt; kept for 90 days after a delivery ended.',
    query: z.object({ ...paging, status: deliveryStatus.optional(), eventType: eventTypeFilter.optional() }),
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
