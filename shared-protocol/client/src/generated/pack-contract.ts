// Generated from the contract by `npm run generate`.
export const packMediaType = 'application/vnd.integrity.pack'
/** What the service takes in one request. */
export const packLimits = { items: 64, bytes: 8388608 } as const
/** The status with which an endpoint of one item answers each code. */
export const statusByCode = {
  invalid_request: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  idempotency_key_reuse: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const
