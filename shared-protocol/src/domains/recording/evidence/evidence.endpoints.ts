import * as z from 'zod'
import { apiKey, downloadToken, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { inOrder, periodOf } from '../../../core/period.ts'
import { emptyBody, instant, listOf, paging } from '../../../core/primitives.ts'
import { evidenceMediaTypes } from '../../interviews/lanes/lanes.evidence.ts'
import { captureChain } from './evidence.chain.schemas.ts'
import { evidence, evidenceType } from './evidence.schemas.ts'

/** With a period in the order in which it is played. */
const listQuery = inOrder(z.object({ ...paging, ...periodOf('captured'), evidence_type: evidenceType.optional() }))
const bytes = z.any().meta({ description: 'the decrypted bytes, in the content type of the evidence' })
const range = { range: 'one byte range; answered with 206, or 416 with the size when it lies beyond the end' }

const sealedFile = {
  summary: "The encrypted file, for the organisation's own age recipients to open. Audited.",
  details:
    'Opens with `age -d -i identity.txt` for the recipients of the organisation that were in force when it was stored, see ' +
    '`/v1/orgs/{orgId}/storage/recipients`; nothing is decrypted on the way. 409 where it was stored while there was none. ' +
    'Whoever keeps such a file and the identity can open it after an erasure too, which reaches no copy outside of this service.',
  headers: range,
  response: z.any().meta({ description: 'an age v1 file' }),
  success: [200, 206],
  errors: ['conflict'],
  effect: 'write',
  kind: 'bytes',
  mediaTypes: ['application/octet-stream'],
  additive: true,
} as const

export const evidenceEndpoints = [
  defineEndpoint({
    id: 'sessions.evidence.list',
    method: 'GET',
    path: '/v1/api/sessions/{id}/evidence',
    summary: 'Evidence objects of a session in the order they were stored.',
    auth: [apiKey('evidence:read')],
    query: listQuery,
    response: listOf(evidence),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'evidence.get',
    method: 'GET',
    path: '/v1/api/evidence/{id}',
    summary: "One evidence object's metadata. Audited.",
    auth: [apiKey('evidence:read')],
    response: evidence,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'evidence.downloadUrl',
    grants: 'object_link',
    method: 'POST',
    path: '/v1/api/evidence/{id}/download-url',
    summary: 'Mint a download URL that works without a key for five minutes. Audited.',
    auth: [apiKey('evidence:read')],
    body: emptyBody,
    bodyOptional: true,
    response: z.object({ url: z.string(), expiresAt: instant }),
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'evidence.content',
    method: 'GET',
    path: '/v1/api/evidence/{id}/content',
    summary: 'The decrypted bytes, by the token of a download URL. Audited.',
    auth: [downloadToken('evidence')],
    query: z.object({ token: z.string().max(2000) }),
    headers: range,
    response: bytes,
    success: [200, 206],
    effect: 'write',
    kind: 'bytes',
    mediaTypes: evidenceMediaTypes,
  }),
  defineEndpoint({
    ...sealedFile,
    id: 'evidence.sealed',
    method: 'GET',
    path: '/v1/api/evidence/{id}/sealed',
    auth: [apiKey('evidence:read')],
  }),
  defineEndpoint({
    ...sealedFile,
    id: 'portal.evidence.sealed',
    method: 'GET',
    path: '/v1/evidence/{id}/sealed',
    objectParam: { name: 'id', object: 'evidence' },
    auth: [user('evidence.view')],
  }),
  defineEndpoint({
    id: 'sessions.captureChain.get',
    additive: true,
    method: 'GET',
    path: '/v1/api/sessions/{id}/capture-chain',
    summary: 'What of the evidence is signed by the machine that it was captured on, in its order, and what is not.',
    auth: [apiKey('evidence:read')],
    response: captureChain,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.captureChain.get',
    additive: true,
    method: 'GET',
    path: '/v1/sessions/{id}/capture-chain',
    summary: 'The same for members.',
    auth: [user('evidence.list')],
    sessionParam: 'id',
    response: captureChain,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.evidence.list',
    method: 'GET',
    path: '/v1/sessions/{id}/evidence',
    summary: 'Evidence objects of a session, for members.',
    auth: [user('evidence.list')],
    sessionParam: 'id',
    query: listQuery,
    response: listOf(evidence),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.evidence.get',
    method: 'GET',
    path: '/v1/evidence/{id}',
    objectParam: { name: 'id', object: 'evidence' },
    summary: "One evidence object's metadata, for members. Audited.",
    auth: [user('evidence.list')],
    response: evidence,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.evidence.content',
    method: 'GET',
    path: '/v1/evidence/{id}/content',
    objectParam: { name: 'id', object: 'evidence' },
    summary: 'The decrypted bytes, for members who may view evidence. Audited.',
    auth: [user('evidence.view')],
    headers: range,
    response: bytes,
    success: [200, 206],
    effect: 'write',
    kind: 'bytes',
    mediaTypes: evidenceMediaTypes,
  }),
] as const
