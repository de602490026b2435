import * as z from 'zod'
import { user } from '../../core/auth.ts'
import { defineEndpoint } from '../../core/endpoint.ts'
import { emptyBody, eventTypeFilter, id, listOf, paging } from '../../core/primitives.ts'
import { delivery, deliveryStatus } from './deliveries.schemas.ts'

const auth = [user('webhook.manage')] as const
const read = { auth, success: [200], effect: 'read' } as const
const write = { auth, success: [200], effect: 'write' } as const
const noBody = { body: emptyBody, bodyOptional: true } as const
const one = '/v1/orgs/{orgId}/webhooks/{endpointId}'

/** The same for people. */
export const deliveriesPortalEndpoints = [
  defineEndpoint({
    ...write,
    ...noBody,
    id: 'portal.webhooks.test',
    method: 'POST',
    path: `${one}/test`,
    summary: 'Publish a real signed `webhook.test` event to this endpoint.',
    response: z.object({ eventId: id('evt'), deliveryId: id('dlv') }),
    success: [202],
    emits: ['webhook.test'],
  }),
  defineEndpoint({
    ...read,
    id: 'portal.webhooks.deliveries.list',
    method: 'GET',
    path: `${one}/deliveries`,
    summary: 'The delivery log, newest first: every attempt, its outcome, and when the next is due.',
    query: z.object({ ...paging, status: deliveryStatus.optional(), eventType: eventTypeFilter.optional() }),
    response: listOf(delivery),
  }),
  defineEndpoint({
    ...write,
    ...noBody,
    id: 'portal.webhooks.deliveries.replay',
    method: 'POST',
    path: `${one}/deliveries/{deliveryId}/replay`,
    summary: 'Send a finished delivery again as a new one; the original history is kept.',
    response: delivery,
    success: [202],
  }),
] as const
