import { type EndpointId, endpoints } from '@integrity/protocol'
import { expect } from 'vitest'
import * as z from 'zod'
import type { TestServer } from './server.ts'
import type { World } from './world.ts'

const listEndpoints = endpoints.filter((endpoint) => 'query' in endpoint && 'offset' in endpoint.query.shape)

/** Every endpoint that answers by the page. */
export const lists = listEndpoints.map(({ id }) => id as EndpointId)

const shapeOf = (id: EndpointId): Readonly<Record<string, z.ZodType>> =>
  (listEndpoints.find((endpoint) => endpoint.id === id) as unknown as { query: z.ZodObject }).query.shape

const optionsOf = (schema: z.ZodType): readonly string[] => {
  let inner: unknown = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap()
  return inner instanceof z.ZodEnum ? inner.options.map(String) : []
}

/** Values by the name of their filter, for those that are no choice of a few. */
export type FreeValues = Readonly<Record<string, readonly string[]>>

/** What `fillOrganisation` has filled is found by these. */
export const freeValues = async (server: TestServer, world: World): Promise<FreeValues> => {
  const api = server.client(world.key)
  const { data: one } = await api.call('sessions.get', { params: { id: world.live.id } })
  const later = (days: number) => new Date(Date.parse(one.createdAt) + days * 86_400_000 + 12_345).toISOString()
  const { data: transcript } = await api.call('sessions.transcript', { params: { id: world.live.id } })
  const [member] = await server.app.db.reader.all<{ id: string | null }>(
    "SELECT max(actor_id) AS id FROM audit_log WHERE org_id = ? AND actor_kind = 'user' AND target LIKE 'target-%'",
    [world.scope.orgId],
  )
  return {
    texts: ['en', 'hi'],
    types: ['session.started', 'session.started,session.ended,evidence.ready'],
    eventType: ['session.ended', 'evidence.ready', 'webhook.test'],
    sessionId: [world.live.id],
    from: [later(1)],
    to: [later(5)],
    provisionedBy: [one.provisionedBy.id],
    externalId: ['ext-7'],
    since: [transcript.cursor],
    q: ['fill199'],
    'portal.sessions.list q': ['fill199', 'fill'],
    action: ['session.events_received', 'session.created', 'org.created'],
    userId: [member?.id ?? 'usr_nobody'],
    assignee: ['mem_fill1', 'none'],
    days: ['0', '3650'],
    minutes: ['1', '240'],
  }
}

/** Every filter of a list by itself and every two together, and none. */
export const filtersOf = (id: EndpointId, free: FreeValues): Record<string, string>[] => {
  const named = Object.entries(shapeOf(id)).filter(([name]) => !['limit', 'offset', 'cursor'].includes(name))
  const single = named.flatMap(([name, schema]) => {
    const values = free[`${id} ${name}`] ?? free[name] ?? optionsOf(schema)
    expect(values.length, `${id} has a filter ${name} that nobody tries`).toBeGreaterThan(0)
    return values.map((value) => ({ name, value }))
  })
  const pairs = single.flatMap((a, n) => single.slice(n + 1).flatMap((b) => (a.name === b.name ? [] : [[a, b]])))
  return [[], ...single.map((one) => [one]), ...pairs].map((filters) =>
    Object.fromEntries(filters.map(({ name, value }) => [name, value])),
  )
}
