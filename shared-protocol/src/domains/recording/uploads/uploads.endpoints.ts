import * as z from 'zod'
import { agent, companion } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody, id } from '../../../core/primitives.ts'
import { evidence } from '../evidence/evidence.schemas.ts'
import { partMeta, partSizes, uploadBegin, uploadBegun, uploadState, uploadStatus } from './uploads.schemas.ts'

export const uploadsEndpoints = [
  defineEndpoint({
    id: 'agent.uploads.begin',
    method: 'POST',
    path: '/v1/sessions/{id}/evidence',
    summary: 'Begin a chunked upload, or learn that the same bytes are already here.',
    auth: [agent, companion],
    sessionParam: 'id',
    body: uploadBegin,
    response: uploadBegun,
    success: [201, 200],
    effect: 'write',
    emits: ['evidence.ready'],
  }),
  defineEndpoint({
    id: 'agent.uploads.part',
    method: 'POST',
    path: '/v1/uploads/{uploadId}/parts',
    summary: 'Upload one part. The same part again changes nothing; other bytes for the same index are a conflict.',
    auth: [agent, companion],
    body: partMeta.extend({ data: z.string() }),
    upload: {
      meta: partMeta,
      from: 'part',
      contentTypes: ['application/octet-stream'],
      maxBytes: partSizes.max,
      maxJsonDataBytes: partSizes.byDefault,
    },
    response: z.object({ index: z.number().int(), receivedParts: z.array(z.number().int()) }),
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'agent.uploads.status',
    method: 'GET',
    path: '/v1/uploads/{uploadId}',
    summary: 'Which parts are here and which are missing.',
    auth: [agent, companion],
    response: uploadStatus,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'agent.uploads.complete',
    method: 'POST',
    path: '/v1/uploads/{uploadId}/complete',
    summary: 'Finalise: verify the hash of the whole, store, and publish that it is ready.',
    auth: [agent, companion],
    body: emptyBody,
    bodyOptional: true,
    response: evidence,
    success: [201, 200],
    effect: 'write',
    emits: ['evidence.ready'],
  }),
  defineEndpoint({
    id: 'agent.uploads.abort',
    method: 'POST',
    path: '/v1/uploads/{uploadId}/abort',
    summary: 'Discard an upload in flight and its parts.',
    auth: [agent, companion],
    body: emptyBody,
    bodyOptional: true,
    response: z.object({ uploadId: id('upl'), state: uploadState }),
    success: [200],
    effect: 'write',
  }),
] as const
