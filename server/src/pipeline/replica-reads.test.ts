import { type EndpointId, type EndpointSpec, endpoints } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { isList } from './answers/long-reads.ts'
import { replicaReads } from './replica-reads.ts'

/** Lists and reports that are read from the primary all the same, and why. */
const primaryLists = {
  'auth.signIns.list': 'a person sees where they are signed in',
  'portal.apiKeys.list': 'credentials',
  'portal.auditLogs.verify': 'the chain of the primary is what counts',
  'portal.invites.list': 'who may come in',
  'portal.live.list': 'what runs this moment',
  'portal.members.list': 'who may do what',
  'portal.orgs.list': 'where a person may go',
  'portal.recipients.list': 'whom evidence is encrypted for',
  'portal.retention.preview': 'somebody deletes by it',
  'portal.reviews.assignees': 'who may do what',
  'portal.roles.list': 'who may do what',
} as const satisfies Partial<Record<EndpointId, string>>

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
