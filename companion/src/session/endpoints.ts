import type { EndpointMap } from '@integrity/protocol'

type Used =
  | 'pairings.claim'
  | 'pairings.consent'
  | 'pairings.presence'
  | 'pairings.unpair'
  | 'companion.get'
  | 'companion.placement'
  | 'companion.preview.push'
  | 'agent.uploads.begin'
  | 'agent.uploads.part'
  | 'agent.uploads.complete'

/**
 * Method and path of what the phone calls. The types are the registry's own words, so that any other text does not
 * compile; the registry itself, with all its schemas, is many times the size of this app and stays out of it.
 */
export const endpoints: {
  readonly [Id in Used]: Pick<EndpointMap[Id], 'method' | 'path'>
} = {
  'pairings.claim': { method: 'POST', path: '/v1/pairings/{joinCode}/claim' },
  'pairings.consent': { method: 'POST', path: '/v1/pairings/{sessionId}/consent' },
  'pairings.presence': { method: 'POST', path: '/v1/pairings/{sessionId}/presence' },
  'pairings.unpair': { method: 'POST', path: '/v1/pairings/{sessionId}/unpair' },
  'companion.get': { method: 'GET', path: '/v1/sessions/{id}/companion' },
  'companion.placement': { method: 'POST', path: '/v1/sessions/{id}/companion/placement' },
  'companion.preview.push': { method: 'POST', path: '/v1/sessions/{id}/companion/preview' },
  'agent.uploads.begin': { method: 'POST', path: '/v1/sessions/{id}/evidence' },
  'agent.uploads.part': { method: 'POST', path: '/v1/uploads/{uploadId}/parts' },
  'agent.uploads.complete': { method: 'POST', path: '/v1/uploads/{uploadId}/complete' },
}
export type UsedEndpoint = keyof typeof endpoints
