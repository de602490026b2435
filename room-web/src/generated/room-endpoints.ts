// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'rooms.get': 'GET /v1/rooms/{sessionId}',
  'rooms.consent': 'POST /v1/rooms/{sessionId}/consent',
  'rooms.release': 'POST /v1/rooms/{sessionId}/release',
  'agent.cameraFrames.upload': 'POST /v1/sessions/{id}/camera/frames upload-evidence',
  'agent.packs.upload': 'POST /v1/sessions/{id}/packs upload-frames',
} as const
