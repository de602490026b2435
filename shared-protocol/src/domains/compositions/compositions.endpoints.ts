import * as z from 'zod'
import { apiKey, downloadToken, user } from '../../core/auth.ts'
import { defineEndpoint } from '../../core/endpoint.ts'
import { emptyBody, instant, listOf, pagingQuery } from '../../core/primitives.ts'
import { composition, compositionDetail } from './compositions.schemas.ts'

const bytes = z.any().meta({ description: 'the film, video/mp4' })
const range = { range: 'one byte range; answered with 206, or 416 with the size when it lies beyond the end' }
const noBody = { body: emptyBody, bodyOptional: true } as const

export const compositionsEndpoints = [
  defineEndpoint({
    id: 'sessions.compositions.list',
    method: 'GET',
    path: '/v1/api/sessions/{id}/compositions',
    summary: 'The picture-in-picture composition of a session: its status and integrity metadata.',
    auth: [apiKey('evidence:read')],
    query: pagingQuery,
    response: listOf(composition),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'compositions.get',
    method: 'GET',
    path: '/v1/api/compositions/{id}',
    summary: "One composition's status, progress and integrity metadata, with the list of its inputs. Audited.",
    auth: [apiKey('evidence:read')],
    response: compositionDetail,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'compositions.render',
    method: 'POST',
    path: '/v1/api/compositions/{id}/render',
    summary:
      'Ask for a render of an ended session. 202 while it runs (ask again for its progress), 200 when a film of the same inputs is ready already.',
    auth: [apiKey('evidence:read')],
    ...noBody,
    response: composition,
    success: [202, 200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'compositions.downloadUrl',
    method: 'POST',
    path: '/v1/api/compositions/{id}/download-url',
    summary: 'Mint a download URL of a ready composition that works without a key for five minutes. Audited.',
    auth: [apiKey('evidence:read')],
    ...noBody,
    response: z.object({ url: z.string(), expiresAt: instant }),
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'compositions.content',
    method: 'GET',
    path: '/v1/api/compositions/{id}/content',
    summary: 'The film, by the token of a download URL. Audited.',
    auth: [downloadToken('composition')],
    query: z.object({ token: z.string().max(2000) }),
    headers: range,
    response: bytes,
    success: [200, 206],
    errors: ['conflict'],
    effect: 'write',
    kind: 'bytes',
    mediaTypes: ['video/mp4'],
  }),
  defineEndpoint({
    id: 'portal.compositions.list',
    method: 'GET',
    path: '/v1/sessions/{id}/compositions',
    summary: 'The picture-in-picture composition of a session, for members who review.',
    auth: [user('composition.view')],
    sessionParam: 'id',
    query: pagingQuery,
    response: listOf(composition),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.compositions.render',
    method: 'POST',
    path: '/v1/sessions/{id}/compositions/{compositionId}/render',
    summary: 'Ask for a render, for members who may take evidence out.',
    auth: [user('evidence.export')],
    sessionParam: 'id',
    ...noBody,
    response: composition,
    success: [202, 200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.compositions.content',
    method: 'GET',
    path: '/v1/sessions/{id}/compositions/{compositionId}/content',
    summary: 'The film of a ready composition, for members who may take evidence out. Audited.',
    auth: [user('evidence.export')],
    sessionParam: 'id',
    headers: range,
    response: bytes,
    success: [200, 206],
    effect: 'write',
    kind: 'bytes',
    mediaTypes: ['video/mp4'],
  }),
] as const
