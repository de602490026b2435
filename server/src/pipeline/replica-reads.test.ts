import { type EndpointSpec, endpoints } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { isList } from './long-reads.ts'
import { primaryLists, replicaReads } from './replica-reads.ts'

const all = endpoints as readonly EndpointSpec[]
const specs = new Map(all.map((spec) => [spec.id, spec]))

it('what may be read from a replica is a GET of JSON by a member or a key, and by nobody else', () => {
  for (const id of replicaReads) {
    const spec = specs.get(id)!
    expect([spec.method, spec.effect, spec.kind ?? 'json', spec.setsCookies ?? false], id).toEqual([
      ...['GET', 'read', 'json', false],
    ])
    for (const { kind } of spec.auth) expect(['api_key', 'user'], id).toContain(kind)
  }
})

it('every list is read from the replica or has a reason why not', () => {
  const lists = all
    .filter((spec) => spec.method === 'GET' && spec.effect === 'read' && isList(spec))
    .map(({ id }) => id)
  expect(lists.length).toBeGreaterThan(40)
  const placed = [...replicaReads, ...Object.keys(primaryLists)]
  expect(lists.filter((id) => !placed.includes(id))).toEqual([])
  expect(placed.filter((id, at) => placed.indexOf(id) !== at || !specs.has(id))).toEqual([])
})
