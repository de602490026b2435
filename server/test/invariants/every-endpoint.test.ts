import type { EndpointId } from '@integrity/protocol'
import type { RecordedExample } from '@integrity/protocol/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../test-support/engines.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { fieldsOf, readRecorded, recordedFrom, writeRecorded } from '../test-support/recorded-examples.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, auditRowsOfAll, eventsSince, expectHouseRules, rowsThatGoOn } from './common.ts'

describe('an endpoint for members', () => {
  for (const id of allIds.filter((candidate) => specOf(candidate).auth.some((rule) => rule.kind === 'user')))
    it(`${id} names an organisation, or one thing that an organisation owns`, () => {
      const { path, sessionParam, objectParam } = specOf(id)
      const named = ['orgId', sessionParam, objectParam?.name].filter((name) => name && path.includes(`{${name}}`))
      expect(named).toHaveLength(1)
    })
})

/** What they change belongs to no organisation, and nobody may see from outside whether there was anything to change. */
const silent: ReadonlySet<EndpointId> = new Set([
  'auth.password.forgot',
  // What a provider says is a reason to ask it; whose it is comes to light then.
  'ats.inbound',
  'billing.webhooks',
  // Nothing is changed yet: a factor counts once it is confirmed.
  'auth.factors.totp.begin',
  'auth.factors.passkeys.begin',
])

const knowsHead = ({ method, usesUp }: ReturnType<typeof specOf>): boolean => method === 'GET' && !usesUp

/** Reads that show what goes on now: the look is audited once for a person and minute. */
const looks: ReadonlySet<EndpointId> = new Set(['companion.preview.get', 'sessions.live'])

for (const engine of everyEngine())
  describe(`a valid request (${engine})`, () => {
    let server: TestServer
    let world: World

    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
    })
    afterAll(() => server.stop())

    /** With `UPDATE_EXAMPLES=1` what was answered is written down again, for the document of the interface. */
    const isWritten = process.env['UPDATE_EXAMPLES'] === '1' && engine === 'sqlite'
    const known = readRecorded()
    const recorded: Record<string, RecordedExample> = {}
    afterAll(() => {
      if (isWritten) writeRecorded({ ...known, ...recorded })
    })

    for (const id of allIds)
      it(`to ${id} succeeds as declared and as the document shows, leaves an audit row if it writes, publishes only what it declares, and names itself in what goes on`, async () => {
        const spec = specOf(id)
        const example = await makeExample(world, id)
        const audit = await auditRowsOfAll(world)
        const before = { audit, events: (await eventsSince(world, 0)).seq, rows: await rowsThatGoOn(world) }
        const answer = await send(server.url, spec, example)
        expect(spec.success as readonly number[], answer.text).toContain(answer.status)
        expectHouseRules(spec, answer)
        recorded[id] = recordedFrom(server.clock.now(), example, answer, spec.body)
        // Whether there is one for each is asked beside the document itself.
        const shown = known[id]
        if (shown && process.env['UPDATE_EXAMPLES'] !== '1') expect(fieldsOf(recorded[id])).toEqual(fieldsOf(shown))
        const written = (await auditRowsOfAll(world)) - before.audit
        if (spec.effect === 'write' && !silent.has(id)) expect(written).toBeGreaterThan(0)
        else expect(written).toBeLessThanOrEqual(looks.has(id) ? 1 : 0)
        for (const type of (await eventsSince(world, before.events)).types) expect(spec.emits ?? []).toContain(type)
        const grown = (await rowsThatGoOn(world)) - before.rows
        expect(await rowsThatGoOn(world, answer.headers.get('x-request-id'))).toBe(grown)
      })

    for (const id of allIds.filter((candidate) => knowsHead(specOf(candidate))))
      it(`to ${id} by HEAD answers the same headers and no body`, async () => {
        const spec = specOf(id)
        const example = await makeExample(world, id)
        const whole = await send(server.url, spec, example)
        const head = await send(server.url, spec, example, 'HEAD')
        expect(head.status).toBe(whole.status)
        expect(head.text).toBe('')
        expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'))
        expect(head.headers.get('x-request-id')).toMatch(/^req_/)
        expect(head.headers.get('ratelimit-limit')).toBe(whole.headers.get('ratelimit-limit'))
      })
  })
