import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'

const download = { method: 'GET', sessionParam: 'id', success: [200], effect: 'write', kind: 'bytes' } as const

/** What leaves the service as a file. Each is accounted for before its first byte. */
export const reportsExportEndpoints = [
  defineEndpoint({
    ...download,
    id: 'portal.sessions.export',
    path: '/v1/sessions/{id}/export',
    summary: 'All stored data of a session as one JSON document, without the bytes of its evidence. Audited.',
    details:
      'Of the format `session-export/1`: `session`, `consents`, `coverage`, `rules`, `moments`, `timeline` (places, by the ids ' +
      'of the lists), `events`, `bookkeeping`, `transcript`, `statements`, `notes`, `annotations`, `inventory` (with size and SHA-256 of ' +
      'each object), `audit` (rows of the chain, newest first, without what stands beside it) and `chain` (its end, signed).',
    auth: [user('evidence.export')],
    response: z.any().meta({ description: 'application/json' }),
    mediaTypes: ['application/json'],
  }),
  defineEndpoint({
    ...download,
    id: 'portal.report.export',
    path: '/v1/sessions/{id}/report/export',
    summary:
      'The report as PDF or JSON: the newest signed revision, or, until there is one, the session as it stands. Audited.',
    details:
      'JSON is the canonical document whose SHA-256 was signed, byte for byte. An erasure takes what the candidate wrote: `id` and ' +
      '`text` of each statement are null from then on, and the hash is the one that was given as `sha256AfterErasure`. The PDF says the same ' +
      'under the name, the logo and the colour that the organisation has when it is made, and beside it the candidate, the appointment, ' +
      'the moments, the times of events and the consent texts, until an erasure takes them. `X-Service-Report-Revision` names it, 0 for what nobody has signed, and ' +
      '`X-Service-Report-Sha256` the hash of its JSON.',
    auth: [user('report.export')],
    query: z.object({
      format: z.enum(['pdf', 'json']).default('pdf'),
      revision: z.coerce
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .optional()
        .meta({ description: 'a signed revision; 0: the current state of the session, even if a revision exists' }),
    }),
    response: z.any().meta({ description: 'application/pdf or application/json' }),
    mediaTypes: ['application/pdf', 'application/json'],
  }),
] as const
