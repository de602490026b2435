// Koa with the service's route table, filled up to the interface's 242 endpoints, answering the same few bytes for all.
import type { AddressInfo } from 'node:net'
import { type EndpointSpec, endpoints } from '@integrity/protocol'
import Koa from 'koa'
import { createRoutes } from '../src/pipeline/routing.ts'

/** Made-up endpoints of the interface's usual shapes, until all 242 are declared. */
const filledUp = (declared: readonly EndpointSpec[]): EndpointSpec[] => {
  const shapes = ['', '/{id}', '/{id}/act', '/{id}/act/{other}']
  const extra = Array.from({ length: Math.max(0, 242 - declared.length) }, (_x, n) => ({
    ...(declared[0] as EndpointSpec),
    id: `made.up${n}`,
    method: 'GET' as const,
    path: `/v1/orgs/{orgId}/thing${Math.floor(n / shapes.length)}${shapes[n % shapes.length]}` as `/${string}`,
  }))
  return [...declared, ...extra]
}

const table = filledUp(endpoints as readonly EndpointSpec[])
const example = (endpoint: EndpointSpec | undefined): string =>
  (endpoint?.path ?? '').replace(/\{\w+\}/g, 'ses_01k8example0000000000000000')
const withParameter = table.filter(({ method, path }) => method === 'GET' && path.includes('{'))
const routes = createRoutes(table)
const app = new Koa()
app.use((koa) => {
  const route = routes.find(koa.method, koa.path)
  koa.status = route && 'endpoint' in route ? 200 : 404
  koa.body = 'found'
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  const paths = { first: example(withParameter[0]), last: example(withParameter.at(-1)) }
  process.send?.({ url: `http://127.0.0.1:${port}`, pid: process.pid, ...paths, count: table.length })
})
process.on('disconnect', () => process.exit(0))
