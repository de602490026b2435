import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { anonymous, apiKey } from './auth.ts'
import { type Deprecation, defineEndpoint, deprecation, impliedErrors } from './endpoint.ts'

const base = { id: 't.get', summary: 'x', response: z.object({}), success: [200], effect: 'read' } as const

describe('the errors an endpoint implies', () => {
  it('are only the universal ones for an open read without parameters', () => {
    const open = defineEndpoint({ ...base, method: 'GET', path: '/v1/t', auth: [anonymous] })
    expect(impliedErrors(open).sort()).toEqual([
      'internal_error',
      'invalid_request',
      'rate_limited',
      'service_unavailable',
    ])
  })

  it('grow with a credential, a parameter and a write, each code once', () => {
    const write = defineEndpoint({
      ...base,
      method: 'POST',
      path: '/v1/t/{id}',
      auth: [apiKey('sessions:write')],
      effect: 'write',
      errors: ['conflict'],
    })
    const codes = impliedErrors(write)
    expect(new Set(codes).size).toBe(codes.length)
    const more = ['unauthorized', 'forbidden', 'insufficient_scope', 'not_found', 'conflict', 'idempotency_key_reuse']
    expect(codes).toEqual(expect.arrayContaining(more))
  })
})

describe('an endpoint that goes away', () => {
  it('stops 180 days after that was said, or later', () => {
    expect(deprecation('2026-12-03', 180)).toEqual({ since: '2026-12-03', sunset: '2027-06-01T00:00:00.000Z' })
    expect(deprecation('2026-12-03', 365).sunset).toBe('2027-12-03T00:00:00.000Z')
  })

  it('compiles with no less notice, and with none that was written by hand', () => {
    const from = '2026-12-03'
    // @ts-expect-error one day too few
    expect(() => deprecation(from, 179)).toThrow(TypeError)
    // @ts-expect-error two digits
    expect(() => deprecation(from, 90)).toThrow(TypeError)
    // @ts-expect-error none
    expect(() => deprecation(from, 0)).toThrow(TypeError)
    // @ts-expect-error before it was said
    expect(() => deprecation(from, -200)).toThrow(TypeError)
    // @ts-expect-error a date of one's own
    const own: Deprecation = { since: from, sunset: from }
    expect(own.since).toBe(from)
  })
})
