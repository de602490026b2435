import * as z from 'zod'
import { apiKey, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { bundleQuery } from './bundles.schemas.ts'

const bytes = {
  query: bundleQuery,
  headers: { range: 'one byte range; answered with 206, or 416 with the size when it lies beyond the end' },
  response: z.any().meta({ description: 'application/zip, of the format `session-bundle/1`' }),
  success: [200, 206],
  errors: ['conflict'],
  effect: 'write',
  kind: 'bytes',
  mediaTypes: ['application/zip'],
  additive: true,
} as const

const details =
  'The parts are hashed into a Merkle tree whose root is signed; the format and two programs that check it without this ' +
  'service are in docs/proof.md. It is built at the first request, which takes as long as reading the evidence once, and ' +
  'kept for a week or until something changes in the session: until then it is the same bytes, of which ranges can be asked for.'

export const bundlesEndpoints = [
  defineEndpoint({
    ...bytes,
    id: 'portal.sessions.bundle',
    method: 'GET',
    path: '/v1/sessions/{id}/bundle',
    sessionParam: 'id',
    summary: 'A session with its evidence as one ZIP file that anybody can check without this service. Audited.',
    details,
    auth: [user('evidence.export')],
  }),
  defineEndpoint({
    ...bytes,
    id: 'sessions.bundle',
    method: 'GET',
    path: '/v1/api/sessions/{id}/bundle',
    summary: 'A session with its evidence as one ZIP file that anybody can check without this service. Audited.',
    details: `${details} Reports are in it for a key with \`reports:read\`; for others they are shown as left out.`,
    auth: [apiKey('evidence:read')],
  }),
] as const
