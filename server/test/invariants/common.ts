import { createHash } from 'node:crypto'
import {
  type EndpointId,
  type EndpointSpec,
  endpoints,
  impliedErrors,
  mediaTypeOf,
  refusals,
  scimUrns,
} from '@integrity/protocol'
import { expect } from 'vitest'
import type { RawAnswer } from '../test-support/send.ts'
import type { World } from '../test-support/world.ts'

export const allIds = endpoints.map((endpoint) => endpoint.id) as readonly EndpointId[]
export const allSpecs = endpoints as readonly EndpointSpec[]
export const isAnonymous = (spec: EndpointSpec): boolean => spec.auth.some((rule) => rule.kind === 'anonymous')

/** Statuses an endpoint may answer. */
const declaredStatuses = (spec: EndpointSpec): ReadonlySet<number> => {
  const statuses = new Set<number>([...spec.success, ...refusals(spec).keys()])
  statuses.delete(500)
  return statuses
}

/** What every answer of the service has, whatever was asked. */
export const expectHouseRules = (spec: EndpointSpec, answer: RawAnswer): void => {
  const { headers, status } = answer
  expect([...declaredStatuses(spec)], answer.text.slice(0, 500)).toContain(status)
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/)
  expect(headers.get('x-service-api-version')).toBe('v1')
  expect(Number(headers.get('ratelimit-limit'))).toBeGreaterThan(0)
  expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
  expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0)
  // Ceilings of guesses and mails have longer windows; they are told of only when they are hit.
  if (status !== 429) expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
  expect(headers.get('ratelimit-scope')).toMatch(/^(key|org)$/)
  expect(headers.get('ratelimit-policy')).toMatch(/^"(key|org)";q=\d+;w=\d+$/)
  expect(headers.get('ratelimit')).toMatch(/^"(key|org)";r=\d+;t=\d+$/)
  if (status >= 400) expectFailure(spec, answer)
  else if (spec.kind === 'bytes' && status !== 304)
    expect(spec.mediaTypes).toContain(headers.get('content-type')?.split(';')[0])
  else if (status === 204) expect(answer.text).toBe('')
  else if (status !== 304 && spec.kind !== 'bytes' && spec.kind !== 'sse') {
    expect(headers.get('content-type')).toBe(`${mediaTypeOf(spec)}; charset=utf-8`)
    if (spec.wire || spec.bare) return
    const body = JSON.parse(answer.text) as Record<string, unknown>
    expect(Object.keys(body)).toEqual(['success', 'data'])
    expect(body['success']).toBe(true)
  }
}

const expectOwnHeaders = (spec: EndpointSpec, { headers, status }: RawAnswer): void => {
  const isBasic = spec.auth.some(({ kind }) => kind === 'assessment')
  if (status === 401) expect(headers.get('www-authenticate')).toMatch(isBasic ? /^Basic realm=/ : /^Bearer$/)
  if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  if (status === 405) expect(headers.get('allow')).not.toBeNull()
}

/** RFC 7644, section 3.12. */
const expectScimFailure = ({ headers, status, text }: RawAnswer): void => {
  expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
  const body = JSON.parse(text) as Record<string, unknown>
  expect(body).toMatchObject({ schemas: [scimUrns.error], status: String(status) })
  expect(String(body['detail']).length).toBeGreaterThan(3)
}

const expectFailure = (spec: EndpointSpec, answer: RawAnswer): void => {
  const { headers, status, text } = answer
  expectOwnHeaders(spec, answer)
  if (spec.wire) {
    expectScimFailure(answer)
    return
  }
  const body = JSON.parse(text) as { success: boolean; error: Record<string, unknown>; requestId: string }
  expect(Object.keys(body)).toEqual(['success', 'error', 'requestId'])
  expect(body.success).toBe(false)
  // A refusal that is replayed names the request that was decided.
  if (headers.get('idempotency-replayed') === null) expect(body.requestId).toBe(headers.get('x-request-id'))
  expect(impliedErrors(spec)).toContain(body.error['code'])
  expect(String(body.error['message']).length).toBeGreaterThan(3)
  expect(headers.get('link')).toMatch(new RegExp(`/docs/errors/${String(body.error['code'])}>; rel="help"$`))
  if (status === 400) {
    const details = body.error['details'] as { path: string; message: string }[]
    expect(details.length, text).toBeGreaterThan(0)
    for (const detail of details) {
      expect(detail.path, text).toBeTypeOf('string')
      expect(detail.message).not.toBe('')
      // What the schema library says of its own tells nobody what would be right.
      expect(detail.message, text).not.toMatch(/^(Invalid|Too (small|big)|Unrecognized)|, received |\0/)
    }
  }
}

/** Rows of the organisation's audit chain, and of the access desk's log, which is of no organisation. */
export const auditRows = async (world: World): Promise<number> => {
  const row = await world.server.app.db.reader.get<{ n: number }>(
    `SELECT (SELECT count(*) FROM audit_log WHERE org_id = ?) + (SELECT count(*) FROM access_request_log) AS n`,
    [world.scope.orgId],
  )
  return row?.n ?? 0
}

/** Rows of every chain, as what makes an organisation begins one, and of what happens before there is one. */
export const auditRowsOfAll = async (world: World): Promise<number> => {
  const sql = `SELECT (SELECT count(*) FROM audit_log) + (SELECT count(*) FROM access_request_log) AS n`
  return (await world.server.app.db.reader.get<{ n: number }>(sql))?.n ?? 0
}

/** Types of the events published since, oldest first, and how many there are now. */
export const eventsSince = async (world: World, seq: number): Promise<{ types: string[]; seq: number }> => {
  const { orgId, environment } = world.scope
  const rows = await world.server.app.db.reader.all<{ type: string; seq: number }>(
    'SELECT type, seq FROM events WHERE org_id = ? AND environment = ? AND seq > ? ORDER BY seq',
    [orgId, environment, seq],
  )
  return { types: rows.map((row) => row.type), seq: rows.at(-1)?.seq ?? seq }
}

/** Jobs, published events and deliveries there are, of all organisations; or those of them that go back to this request. */
export const rowsThatGoOn = async (world: World, requestId?: string | null): Promise<number> => {
  const of = requestId === undefined ? '' : 'WHERE request_id = ?'
  const sql = ['jobs', 'events', 'webhook_deliveries'].map((table) => `(SELECT count(*) FROM ${table} ${of})`)
  const params = requestId === undefined ? [] : sql.map(() => requestId)
  return (await world.server.app.db.reader.get<{ n: number }>(`SELECT ${sql.join(' + ')} AS n`, params))?.n ?? 0
}

/** A number that follows from the text, so that a generated test is the same in every run. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readInt32BE(0)

/** Of members, these are for whoever has the review, and the examples' has nobody: else it takes who may give it to somebody. */
export const ofWhoeverHasIt: ReadonlySet<EndpointId> = new Set([
  'portal.report.signOff',
  'portal.reviews.assign',
  'portal.reviews.move',
])
