// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'auth.password.forgot': 'POST /v1/auth/password/forgot',
  'auth.password.reset': 'POST /v1/auth/password/reset',
} as const
