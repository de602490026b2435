// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'accessRequests.availability': 'GET /v1/access-requests/availability',
  'accessRequests.create': 'POST /v1/access-requests',
  'ownerInvites.inspect': 'POST /v1/access-requests/owner-invite/inspect',
  'ownerInvites.accept': 'POST /v1/access-requests/owner-invite/accept',
  'ownerInvites.renew': 'POST /v1/access-requests/owner-invite/renew',
} as const
