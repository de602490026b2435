import { type EndpointSpec, endpoints } from '@integrity/protocol'
import { createRoutes } from '../src/app/routing.ts'
import { type Bench, compared, median } from './harness.ts'

const looks = 200_000

const example = (endpoint: EndpointSpec): string => endpoint.path.replace(/\{\w+\}/g, 'ses_01k8example0000000000000000')

/** 242 rows will be declared: the table is filled up with made-up ones of the interface's shape. */
const filledUp = (declared: readonly EndpointSpec[]): EndpointSpec[] => {
  const shapes = [
    '/v1/orgs/{orgId}/thing',
    '/v1/orgs/{orgId}/thing/{id}',
    '/v1/orgs/{orgId}/thing/{id}/act',
    '/v1/thing/{id}/act',
  ]
  const extra = Array.from({ length: Math.max(0, 242 - declared.length) }, (_x, n) => ({
    ...(declared[0] as EndpointSpec),
    id: `made.up${n}`,
    path: `${shapes[n % shapes.length]?.replace('thing', `thing${Math.floor(n / shapes.length)}`)}` as `/${string}`,
  }))
  return [...declared, ...extra]
}

export const routing: Bench = {
  name: 'Routing',
  what: 'Looking a path up in a table of 242 endpoints: the last one declared against the first with a parameter.',
  async run() {
    const table = filledUp(endpoints as readonly EndpointSpec[])
    const routes = createRoutes(table)
    const withParameter = table.filter((endpoint) => endpoint.path.includes('{'))
    const first = withParameter[0] as EndpointSpec
    const last = withParameter.at(-1) as EndpointSpec
    const time = (endpoint: EndpointSpec): number => {
      const path = example(endpoint)
      const started = process.hrtime.bigint()
      for (let n = 0; n < looks; n++) routes.find(endpoint.method, path)
      return Number(process.hrtime.bigint() - started) / looks
    }
    const firsts: number[] = []
    const lasts: number[] = []
    for (let round = 0; round < 7; round++) {
      firsts.push(time(first))
      lasts.push(time(last))
    }
    return [compared('time of the last route against the first', median(lasts), median(firsts), 'ns', { atMost: 1.1 })]
  },
}
