import * as z from 'zod'
import { apiKey, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { reelIndex, reelMediaType, reelQuery } from './reels.schemas.ts'

const index = {
  method: 'GET',
  headers: { 'if-none-match': 'the ETag of the index already known; unchanged answers 304' },
  response: reelIndex,
  success: [200, 304],
  effect: 'read',
  additive: true,
} as const

const reel = {
  method: 'GET',
  details:
    'The body is frames: for each item a 4-byte big-endian length and the head (UTF-8 JSON), then a 4-byte big-endian length and ' +
    'the bytes. A head holds `id`, `atMs`, `durationMs`, `contentType` and `sha256`, and where the frame has no bytes why: ' +
    '`absent` is `erased`, `withheld` (what is stored is not what was taken in), `too_large` (fetch it by its id), `not_made` (there is ' +
    'no small picture, or there are no levels) or `being_made` (its sender made none, and the service does: ask again in a few seconds). ' +
    'The last frame has no bytes and the head `nextMs`: the `from` of the next reel, null where there is nothing more. A reel ' +
    'holds what begins within a minute, of sound, `small` and `levels` within ten, and 8 MiB at most. Reels have ceilings of their ' +
    'own, in bytes, and use up none of the requests.',
  query: reelQuery,
  response: z.any().meta({ description: 'frames, the last one with `nextMs`' }),
  success: [200],
  effect: 'write',
  kind: 'bytes',
  mediaTypes: [reelMediaType],
  ceiling: 'bytes',
  additive: true,
} as const

const indexSummary = 'Everything that a player needs of an interview but the bytes: accounts, items, moments, words.'
const reelSummary = 'What one display, camera or microphone recorded in a stretch of time, in one answer.'

export const reelsEndpoints = [
  defineEndpoint({
    ...index,
    id: 'sessions.reelIndex.get',
    path: '/v1/api/sessions/{id}/reel-index',
    summary: indexSummary,
    auth: [apiKey('evidence:read')],
  }),
  defineEndpoint({
    ...index,
    id: 'portal.reelIndex.get',
    path: '/v1/sessions/{id}/reel-index',
    summary: `${indexSummary} For members.`,
    details: 'Without the permission `evidence.view` it has no `items` and no `speech`.',
    auth: [user('session.view')],
    sessionParam: 'id',
  }),
  defineEndpoint({
    ...reel,
    id: 'sessions.reels.get',
    path: '/v1/api/sessions/{id}/reels/{source}',
    summary: `${reelSummary} Audited.`,
    auth: [apiKey('evidence:read')],
  }),
  defineEndpoint({
    ...reel,
    id: 'portal.reels.get',
    path: '/v1/sessions/{id}/reels/{source}',
    summary: `${reelSummary} For members. Audited.`,
    auth: [user('evidence.view')],
    sessionParam: 'id',
  }),
] as const
