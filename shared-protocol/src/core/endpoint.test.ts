import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { anonymous, apiKey } from './auth.ts'
import { defineEndpoint, impliedErrors } from './endpoint.ts'

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
