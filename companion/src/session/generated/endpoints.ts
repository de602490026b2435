// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'pairings.claim': 'POST /v1/pairings/{joinCode}/claim',
  'pairings.consent': 'POST /v1/pairings/{sessionId}/consent',
  'pairings.presence': 'POST /v1/pairings/{sessionId}/presence',
  'pairings.unpair': 'POST /v1/pairings/{sessionId}/unpair',
  'companion.get': 'GET /v1/sessions/{id}/companion',
  'companion.placement': 'POST /v1/sessions/{id}/companion/placement',
  'companion.preview.push': 'POST /v1/sessions/{id}/companion/preview',
  'agent.uploads.begin': 'POST /v1/sessions/{id}/evidence',
  'agent.uploads.part': 'POST /v1/uploads/{uploadId}/parts upload-part',
  'agent.uploads.complete': 'POST /v1/uploads/{uploadId}/complete',
  'agent.packs.upload': 'POST /v1/sessions/{id}/packs upload-frames',
} as const
