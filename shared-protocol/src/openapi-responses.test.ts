import { describe, expect, it } from 'vitest'
import { type EndpointSpec, obeysKey, refusals } from './core/endpoint.ts'
import { headerComponents, refusalsOf, responseComponents, successHeaders } from './openapi-responses.ts'
import { endpoints } from './registry.ts'

const every = endpoints as readonly EndpointSpec[]
const components = responseComponents() as Record<string, { headers: Record<string, unknown> }>
const refs = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refs(inner)))

describe('the refusals of an endpoint', () => {
  it.each(every.map((spec) => [spec.id, spec] as const))('%s: each status has a description that exists', (_, spec) => {
    const described = refusalsOf(spec) as Record<string, { $ref: string }>
    expect(Object.keys(described).map(Number)).toEqual([...refusals(spec).keys()].sort((a, b) => a - b))
    for (const { $ref } of Object.values(described)) {
      const name = $ref.replace('#/components/responses/', '')
      expect(components).toHaveProperty([name])
      expect(name.startsWith('Scim')).toBe(spec.wire !== undefined)
    }
  })

  it('that ask for waiting say how long, and those of a method which ones there are', () => {
    for (const name of ['TooManyRequests', 'Unavailable', 'ScimTooManyRequests'])
      expect(components[name]?.headers).toHaveProperty('Retry-After')
    expect(components['MethodNotAllowed']?.headers).toHaveProperty('Allow')
    expect(components['RangeNotSatisfiable']?.headers).toHaveProperty('Content-Range')
    expect(components['Unauthorized']?.headers).toHaveProperty('WWW-Authenticate')
  })
})

describe('the headers of an answer', () => {
  it.each(every.map((spec) => [spec.id, spec] as const))('%s: refer to headers that exist', (_, spec) => {
    for (const status of spec.success) {
      const headers = successHeaders(spec, status)
      for (const ref of refs(headers)) expect(headerComponents).toHaveProperty([ref.split('/').at(-1) ?? ''])
      expect('Idempotency-Replayed' in headers).toBe(obeysKey(spec))
      expect('Set-Cookie' in headers).toBe(spec.setsCookies === true)
      expect('Content-Disposition' in headers).toBe(spec.kind === 'bytes')
      expect('Content-Range' in headers).toBe(status === 206)
    }
  })

  it('carry the request id and the ceilings everywhere, refusals too', () => {
    for (const { headers } of Object.values(components))
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-Request-Id', 'RateLimit-Remaining']))
  })
})
