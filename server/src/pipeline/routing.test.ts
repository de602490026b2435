import { type EndpointSpec, endpoints } from '@integrity/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRoutes } from './routing.ts'

const specs = endpoints as readonly EndpointSpec[]
const routes = createRoutes(specs)
const names = (spec: EndpointSpec) => [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
const fill = (spec: EndpointSpec, value: string) => spec.path.replaceAll(/\{\w+\}/g, encodeURIComponent(value))

describe('the route table', () => {
  for (const spec of specs)
    it(`finds ${spec.id} by its method and path, with its parameters decoded`, () => {
      for (const value of ['ses_01', 'a b', 'ä/ö', '%', '..', 'join-links', 'x'.repeat(300)]) {
        const found = routes.find(spec.method, fill(spec, value))
        expect(found).toEqual({ endpoint: spec, params: Object.fromEntries(names(spec).map((name) => [name, value])) })
      }
    })

  it('prefers a static path to a parameter, whatever the order of declaration', () => {
    const make = (id: string, path: `/${string}`) => ({ ...specs[0], id, path }) as EndpointSpec
    const declared = [make('one', '/v1/things/{id}'), make('all', '/v1/things/search')]
    for (const list of [declared, [...declared].reverse()]) {
      const table = createRoutes(list)
      expect(table.find('GET', '/v1/things/search')).toMatchObject({ endpoint: { id: 'all' } })
      expect(table.find('GET', '/v1/things/other')).toMatchObject({ endpoint: { id: 'one' }, params: { id: 'other' } })
    }
  })

  it('says which methods a known path takes, and nothing of an unknown one', () => {
    expect(routes.find('DELETE', '/v1/api/sessions/ses_1')).toEqual({ allowed: ['GET', 'HEAD', 'PATCH'] })
    expect(routes.find('PUT', '/v1/sessions/ses_1/screenshots')).toEqual({ allowed: ['GET', 'HEAD', 'POST'] })
    for (const path of [
      '',
      '/',
      '/v1',
      '/v1/api',
      '/v1/api/sessions/a/b',
      '/v1/api/webhooks/a/deliveries',
      '//',
      '/v1/api/me/x',
    ])
      if (path !== '/v1/api/webhooks/a/deliveries') expect(routes.find('GET', path), path).toBeUndefined()
  })

  it('takes any text for a path without an error', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('v1', 'api', 'sessions', 'events', '%', '%zz', ''), fc.string()), {
          maxLength: 7,
        }),
        (parts) => {
          const found = routes.find('GET', `/${parts.join('/')}`)
          if (found && 'endpoint' in found) expect(found.endpoint.method).toBe('GET')
        },
      ),
      { seed: 7 },
    )
  })
})

it('paths differ by case', () => {
  expect(routes.find('GET', '/v1/api/me')).toMatchObject({ endpoint: { id: 'orgs.me' } })
  for (const path of ['/v1/api/ME', '/V1/api/me', '/v1/API/me']) expect(routes.find('GET', path), path).toBeUndefined()
})
