import type { EndpointId } from '../registry.ts'

/** What a request needs besides its method and path. */
export interface SampleInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** What the reference sends where the shape alone would say little. The rest is the least that the shape takes. */
export const sampleInputs: Readonly<Partial<Record<EndpointId, SampleInput>>> = {
  'sessions.list': { query: { state: 'scheduled', limit: 20 } },
  'sessions.create': {
    body: {
      externalId: 'REQ-4711',
      candidateLabel: 'Candidate 12',
      schedule: { startsAt: '2027-09-06T09:00:00+02:00', durationMinutes: 60, timeZone: 'Europe/Berlin' },
    },
  },
  'sessions.patch': { body: { retentionDays: 30, camera: { enabled: false } } },
  'sessions.end': { body: { reason: 'the interview is over' } },
  'sessions.joinLinks.create': { body: { role: 'candidate' } },
  'sessions.roomDevices.create': { body: { label: 'Room 1' } },
  'sessions.transcript': { query: { limit: 100 } },
  'sessions.evidence.list': { query: { limit: 20 } },
  'events.list': { query: { types: 'session.started,session.ended', limit: 20 } },
  'webhooks.create': {
    body: { url: 'https://example.org/webhooks/interviews', eventTypes: ['session.started', 'session.ended'] },
  },
  'webhooks.patch': { body: { description: 'our applicant tracking' } },
  'sandbox.simulate': { body: { scenario: 'complete_interview', timeScale: 600 } },
}
