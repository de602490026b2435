import { describe, expect, it } from 'vitest'
import { type ErrorCode, errorCodes, invalid, notFound, ServiceError } from './errors.ts'

/** The interface's table of codes, spelled out here so that a change of it does not go unnoticed. */
const table: Record<ErrorCode, number> = {
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
}

describe('error codes', () => {
  it('have the statuses of the interface', () => {
    expect(Object.fromEntries(Object.entries(errorCodes).map(([code, { status }]) => [code, status]))).toEqual(table)
  })

  it('give an error their status, unless the interface has several for the code', () => {
    for (const [code, status] of Object.entries(table))
      expect(new ServiceError(code as ErrorCode, 'words').status).toBe(status)
    expect(new ServiceError('invalid_request', 'too large', { status: 413 }).status).toBe(413)
  })

  it('come with the field at fault, or the thing that is not there', () => {
    expect(invalid('config.retentionDays', 'must be 1 to 3650')).toMatchObject({
      code: 'invalid_request',
      message: 'config.retentionDays: must be 1 to 3650',
      details: [{ path: 'config.retentionDays', message: 'must be 1 to 3650' }],
    })
    expect(notFound('session')).toMatchObject({
      code: 'not_found',
      status: 404,
      message: 'session not found',
      details: [],
    })
  })

  it('keep the cause for the log', () => {
    const cause = new Error('disk full')
    expect(new ServiceError('internal_error', 'sorry', { cause }).cause).toBe(cause)
    expect('cause' in new ServiceError('internal_error', 'sorry')).toBe(false)
  })
})
