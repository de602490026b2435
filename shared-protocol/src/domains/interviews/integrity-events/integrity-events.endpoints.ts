import * as z from 'zod'
import { agent, apiKey } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { listOf } from '../../../core/primitives.ts'
import { eventListQuery, ingestHealth, integrityEvent, integrityEventBatch } from './integrity-events.schemas.ts'

export const integrityEventsEndpoints = [
  defineEndpoint({
    id: 'sessions.events.list',
    method: 'GET',
    path: '/v1/api/sessions/{id}/events',
    summary: 'Integrity events in the order of receipt, with the counts of the whole session for each kind.',
    auth: [apiKey('sessions:read')],
    query: eventListQuery,
    response: listOf(integrityEvent, { counts: z.record(z.string(), z.number().int()) }),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'agent.events.ingest',
    method: 'POST',
    path: '/v1/sessions/{id}/events',
    summary: 'Ingest a batch of integrity events; a clientId that is already here is counted as duplicate.',
    details:
      'What a session has no room for is refused, each event by its place. One that sends more events in a minute than any agent is ' +
      'told to wait (429).',
    auth: [agent],
    sessionParam: 'id',
    body: integrityEventBatch,
    maxBodyBytes: 5 * 1024 * 1024,
    maxBodyValues: 60_000,
    response: z.object({ accepted: z.number().int(), duplicates: z.number().int(), health: ingestHealth }),
    success: [200],
    effect: 'write',
    emits: ['source.health_changed'],
  }),
] as const
