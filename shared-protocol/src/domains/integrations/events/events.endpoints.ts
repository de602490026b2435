import * as z from 'zod'
import { apiKey, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { environment, freeObject, id, instant, listOf, paging } from '../../../core/primitives.ts'
import { idFilter } from '../../../core/query-words.ts'
import { eventTypesFilter } from './events.catalog.ts'

const filters = {
  types: eventTypesFilter.optional(),
  sessionId: idFilter('ses', 'a session')
    .optional()
    .meta({ description: 'only events of this session; one that the key cannot see has none' }),
}

export const eventEnvelope = z
  .object({
    id: id('evt'),
    type: z.string(),
    sessionId: id('ses').optional(),
    createdAt: instant,
    apiVersion: z.literal('v1'),
    catalogVersion: z.string(),
    data: freeObject,
  })
  .meta({ id: 'EventEnvelope' })

export const eventsEndpoints = [
  defineEndpoint({
    id: 'events.list',
    method: 'GET',
    path: '/v1/api/events',
    summary:
      "Published events of the key's environment, newest first; kept for 90 days unless the operator says otherwise.",
    auth: [apiKey('events:read')],
    query: z.object({ ...paging, ...filters }),
    response: listOf(eventEnvelope),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'events.stream',
    method: 'GET',
    path: '/v1/api/events/stream',
    summary: 'Server-Sent Events; resumes after `Last-Event-ID`, up to 200 events back.',
    auth: [apiKey('events:read')],
    query: z.object({ ...filters, lastEventId: z.string().max(64).optional() }),
    headers: { 'last-event-id': 'the id of the last event seen; wins over the query' },
    response: eventEnvelope,
    success: [200],
    effect: 'read',
    kind: 'sse',
  }),
  defineEndpoint({
    id: 'portal.events.list',
    method: 'GET',
    path: '/v1/orgs/{orgId}/events',
    summary: 'Published events of one environment, newest first, for people: those of types that their role may see.',
    details: 'A type that is asked for and that the role may not see is forbidden.',
    auth: [user('session.view')],
    query: z.object({ ...paging, ...filters, environment: environment.default('live') }),
    response: listOf(eventEnvelope),
    success: [200],
    effect: 'read',
    additive: true,
  }),
  defineEndpoint({
    id: 'portal.events.stream',
    method: 'GET',
    path: '/v1/orgs/{orgId}/events/stream',
    summary: 'The same as Server-Sent Events; resumes after `Last-Event-ID`, up to 200 events back.',
    details: 'It ends with the sign-in that it was opened by: renew that, and go on after the last event.',
    auth: [user('session.view')],
    query: z.object({
      ...filters,
      environment: environment.default('live'),
      lastEventId: z.string().max(64).optional(),
    }),
    headers: { 'last-event-id': 'the id of the last event seen; wins over the query' },
    response: eventEnvelope,
    success: [200],
    effect: 'read',
    kind: 'sse',
    additive: true,
  }),
] as const
