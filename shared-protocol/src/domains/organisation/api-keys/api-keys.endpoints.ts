import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { deleted, emptyBody, instant, listOf, paging } from '../../../core/primitives.ts'
import { recentRequests } from '../../../core/recent-requests.ts'
import { apiKeyCreate, apiKeyListFilters, apiKeyRecord, apiKeyWithToken } from './api-keys.schemas.ts'

const auth = [user('api_key.manage')] as const

export const apiKeysEndpoints = [
  defineEndpoint({
    id: 'portal.apiKeys.list',
    method: 'GET',
    path: '/v1/orgs/{orgId}/api-keys',
    summary: 'API keys of both environments, newest first, revoked ones as tombstones; never their secrets.',
    auth,
    query: z.object({ ...paging, ...apiKeyListFilters }),
    response: listOf(apiKeyRecord),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.apiKeys.create',
    grants: 'api_key',
    method: 'POST',
    path: '/v1/orgs/{orgId}/api-keys',
    summary: 'Mint a key. The token is in this answer and never again.',
    auth,
    body: apiKeyCreate,
    response: apiKeyWithToken,
    success: [201],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.apiKeys.requests',
    method: 'GET',
    path: '/v1/orgs/{orgId}/api-keys/{keyId}/requests',
    summary: 'The last 100 requests with a key, newest first, kept for 24 hours.',
    details:
      'The service keeps neither the query, the body nor the values in the path. A request appears here a second after its answer. A request without a valid key appears nowhere.',
    auth,
    response: recentRequests,
    success: [200],
    effect: 'read',
    additive: true,
  }),
  defineEndpoint({
    id: 'portal.apiKeys.rotate',
    grants: 'api_key',
    method: 'POST',
    path: '/v1/orgs/{orgId}/api-keys/{keyId}/rotate',
    summary: 'Replace the secret in place; the previous token stops at once, on open event streams too.',
    details: 'Asks for what making the key asks: its scopes must be ones that you could grant yourself.',
    auth,
    body: emptyBody,
    bodyOptional: true,
    response: apiKeyWithToken,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.apiKeys.revoke',
    method: 'DELETE',
    path: '/v1/orgs/{orgId}/api-keys/{keyId}',
    summary: 'Revoke a key; it stops at once and stays in the list as a tombstone. Again: the same answer.',
    auth,
    response: deleted.extend({ revokedAt: instant }),
    success: [200],
    effect: 'write',
  }),
] as const
