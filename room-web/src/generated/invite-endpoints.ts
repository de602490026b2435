// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'invites.inspect': 'POST /v1/invites/inspect',
  'invites.accept': 'POST /v1/invites/accept',
  'auth.me': 'GET /v1/auth/me',
  'auth.refresh': 'POST /v1/auth/refresh',
} as const
