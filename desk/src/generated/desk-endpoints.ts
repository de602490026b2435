// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'auth.me': 'GET /v1/auth/me',
  'auth.refresh': 'POST /v1/auth/refresh',
  'auth.logout': 'POST /v1/auth/logout',
  'portal.orgs.list': 'GET /v1/orgs',
  'portal.sessions.list': 'GET /v1/orgs/{orgId}/sessions',
  'portal.sessions.create': 'POST /v1/orgs/{orgId}/sessions',
  'portal.invitations.create': 'POST /v1/orgs/{orgId}/sessions/{id}/invitations',
  'sessions.detail': 'GET /v1/sessions/{id}',
  'portal.report': 'GET /v1/sessions/{id}/report',
  'portal.report.export': 'GET /v1/sessions/{id}/report/export bytes',
  'portal.coverage': 'GET /v1/sessions/{id}/coverage',
  'portal.coverage.annotate': 'POST /v1/sessions/{id}/coverage/annotations',
  'portal.notes.list': 'GET /v1/sessions/{id}/notes',
  'portal.notes.add': 'POST /v1/sessions/{id}/notes',
  'portal.reviews.list': 'GET /v1/orgs/{orgId}/reviews',
  'portal.reviews.assign': 'POST /v1/orgs/{orgId}/reviews/{reviewId}/assignment',
  'portal.reviews.move': 'POST /v1/orgs/{orgId}/reviews/{reviewId}/state',
  'portal.report.signOff': 'POST /v1/sessions/{id}/report/revisions',
} as const
