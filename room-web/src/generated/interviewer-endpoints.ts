// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'interviewers.inspect': 'POST /v1/interviewers/inspect',
} as const
