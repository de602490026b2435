import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody, id, instant, listOf, paging } from '../../../core/primitives.ts'
import { eventTypeFilter, eventTypes } from '../events/events.catalog.ts'
import { delivery, deliveryRequest, deliveryStatus, examplesPerMinute, maxReplayed } from './deliveries.schemas.ts'

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
    ...write,
    id: 'portal.webhooks.sendExample',
    method: 'POST',
    path: `${one}/examples`,
    summary: 'Send the example of an event type to this endpoint, marked as an example.',
    details: `The data has \`example: true\` beside what an event of the type has, and the delivery log marks it. It is sent to nobody else: readers of the stream see a \`webhook.test\`. At most ${examplesPerMinute} a minute.`,
    body: z.object({ eventType: z.enum(eventTypes) }),
    response: z.object({ eventId: id('evt'), deliveryId: id('dlv') }),
    success: [202],
    emits: ['webhook.test'],
    additive: true,
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
    ...read,
    id: 'portal.webhooks.deliveries.request',
    method: 'GET',
    path: `${one}/deliveries/{deliveryId}/request`,
    summary: 'What a delivery posts: the body, and the headers that each attempt has.',
    response: deliveryRequest,
    additive: true,
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
  defineEndpoint({
    ...write,
    id: 'portal.webhooks.replaySince',
    method: 'POST',
    path: `${one}/replay-since`,
    summary: 'Send every event of the log since an instant once more; what is still being sent is left alone.',
    details: `Each is a new delivery of its event, in the order of the log; the original history is kept. More than ${maxReplayed} are a conflict: choose a later instant.`,
    body: z.object({ since: instant.meta({ description: 'when the oldest delivery of the stretch was queued' }) }),
    response: z.object({ replayed: z.number().int().meta({ description: 'deliveries that were queued' }) }),
    success: [202],
    additive: true,
  }),
] as const
