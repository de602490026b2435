import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EndpointId, type EndpointSpec, integrityEventKinds } from '@integrity/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/platform/log/log.ts'
import { canaryMark, createCanaries } from '../test-support/canaries.ts'
import { requestLink } from '../test-support/candidate-requests.ts'
import { everyEngine } from '../test-support/engines.ts'
import { type Example, examples, specOf, withJson } from '../test-support/examples.ts'
import { asMember } from '../test-support/invitations.ts'
import { validFor } from '../test-support/schema-arbitrary.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { type Receiver, startReceiver } from '../test-support/webhook-receiver.ts'
import { anEvent, buildWorld, scheduleSession, type World } from '../test-support/world.ts'
import { allSpecs } from './common.ts'

const byAnybody = new Set<string>([
  'agent.sessions.join',
  'candidateRequests.links.mail',
  'pairings.claim',
  'sessions.create',
  'sessions.end',
  'sessions.roomDevices.create',
])
/** Who can send words about a candidate: their agent, phone and room, they themselves, whoever invites them and whoever reviews. */
const isOfCandidate = ({ id, auth }: EndpointSpec): boolean =>
  byAnybody.has(id) ||
  auth.some(({ kind }) => ['agent', 'companion', 'room', 'link'].includes(kind)) ||
  /^portal\.(invitations|interviewers|scheduling|candidateRequests|sessions|reviews|notes|coverage|report)\./.test(id)
/** It is asked for a source by a name that must be one, and stores no words. */
const takesNoWords = new Set(['candidateRequests.reels'])
const planters = allSpecs.filter(
  (spec) => spec.effect === 'write' && spec.body && isOfCandidate(spec) && !takesNoWords.has(spec.id),
)
const endings = new Set<string>(['agent.sessions.end', 'sessions.end', 'pairings.unpair', 'rooms.release'])

/** What stays, as page, guide and contract say: the integrator's own handle, and what was written about the erasure itself, and what reviewers wrote. */
const lawful = [
  /: (portal\.)?sessions\.create externalId$/,
  /^candidate_request_messages\.text: portal\.candidateRequests\.approve text$/,
  /^notes\.text: portal\.(notes\.add|coverage\.annotate) text$/,
  /^report_revisions\.(statement|document): portal\.report\.signOff statement$/,
]

type Row = Record<string, unknown>

for (const engine of everyEngine())
  describe(`what is left of a candidate's words after an erasure (${engine})`, () => {
    const canaries = createCanaries()
    let server: TestServer
    let world: World
    let receiver: Receiver
    const logged: string[] = []

    beforeAll(async () => {
      server = await startServer({
        engine,
        overrides: { log: createLog({ level: 'debug', destination: { write: (line) => logged.push(line) } }) },
      })
      world = await buildWorld(server)
      receiver = await startReceiver(() => server.clock.now())
      // It answers with what it was sent, so that the log of deliveries has the words, too.
      receiver.answer(({ body }) => ({ status: 200, body: body.toString('utf8') }))
      const body = { url: receiver.url, eventTypes: ['session.ended', 'source.health_changed'] } as const
      await server.client(world.key).call('webhooks.create', { body: { ...body, eventTypes: [...body.eventTypes] } })
    })
    afterAll(async () => {
      await receiver.stop()
      await server.stop()
    })

    const sendPlanted = async (id: EndpointId, example: Example): Promise<void> => {
      const spec = specOf(id)
      const json = spec.body ? canaries.plant(spec.body, example.json ?? {}, id) : example.json
      const headers = { ...example.headers, 'idempotency-key': `key-${canaries.size}` }
      const answer = await send(server.url, spec, withJson({ ...example, headers }, json))
      expect(spec.success as readonly number[], `${id}: ${answer.text}`).toContain(answer.status)
    }
    const plantExample = async (id: string) => sendPlanted(id as EndpointId, await examples[id as EndpointId](world))

    /** One event of each kind, with words in all that its data may hold. */
    const everyKind = () =>
      Object.entries(integrityEventKinds).map(([kind, { data }]) => {
        const sample = fc.sample(validFor(data), { numRuns: 1, seed: 7 })[0]
        return anEvent(server, kind, canaries.plant(data, sample, kind) as Record<string, string>)
      })

    const tables = async (): Promise<string[]> => {
      const sql =
        engine === 'sqlite'
          ? "SELECT name FROM sqlite_master WHERE type = 'table'"
          : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()'
      return (await server.app.db.reader.all<{ name: string }>(sql)).map(({ name }) => name)
    }
    const textOf = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))
    /** Remembered answers are wrapped: what they say is looked at in the clear. */
    const openedAnswer = (row: Row): string => {
      const { answer, org_id, credential, endpoint, key } = row
      if (answer === '') return ''
      const context = ['idempotency', org_id, credential, endpoint, key].join(':')
      return server.app.keyring.unwrap(String(answer), context).toString('utf8')
    }
    const wordsIn = (table: string, row: Row): string[] => {
      const opened = table === 'idempotency_keys' ? { ...row, answer: openedAnswer(row) } : row
      return Object.entries(opened).flatMap(([column, value]) =>
        canaries.placesIn(textOf(value)).map((place) => `${table}.${column}: ${place}`),
      )
    }
    const findWords = async (): Promise<string[]> => {
      const found = new Set<string>()
      for (const table of await tables())
        for (const row of await server.app.db.reader.all<Row>(`SELECT * FROM ${table}`))
          for (const line of wordsIn(table, row)) found.add(line)
      return [...found].sort()
    }
    const unlawful = async () => (await findWords()).filter((line) => !lawful.some((pattern) => pattern.test(line)))

    const eraseAll = async (key: string): Promise<void> => {
      const api = server.client(key)
      const { data } = await api.call('sessions.list', { query: { limit: 100 } })
      expect(data.total).toBeLessThan(100)
      for (const { id, state } of data.items) {
        if (state !== 'ended') await api.call('sessions.end', { params: { id } })
        await api.call('sessions.erase', { params: { id } })
        expect(await server.app.previews.get(id)).toBeUndefined()
      }
    }
    /** Every request that is still open is answered for good. */
    const answerAll = async (): Promise<void> => {
      const { orgId, environment } = world.scope
      const member = await asMember(server, orgId)
      const open = await server.client().call('portal.candidateRequests.list', {
        ...member,
        params: { orgId },
        query: { environment, limit: 100 },
      })
      for (const { id: requestId } of open.data.items)
        await server.client().call('portal.candidateRequests.decline', {
          ...member,
          params: { orgId, requestId },
          body: { text: 'Erased.' },
        })
    }

    it('every free field takes some, and they are there before', async () => {
      for (const { id } of planters.filter((spec) => !endings.has(spec.id))) await plantExample(id)
      const agent = { headers: { authorization: `Bearer ${world.live.agent}` }, params: { id: world.live.id } }
      for (const event of everyKind()) await sendPlanted('agent.events.ingest', { ...agent, json: { events: [event] } })
      for (const id of endings) await plantExample(id)
      await server.processAll()
      const found = await findWords()
      const columns = new Set(found.map((line) => line.split(':')[0]))
      for (const column of [
        'audit_payloads.payload',
        'events.envelope',
        'evidence.metadata',
        'idempotency_keys.answer',
        'integrity_events.data',
        'interviewers.name',
        'invitations.message',
        'lane_gaps.display_id',
        'sessions.device',
        'webhook_attempts.response_excerpt',
      ])
        expect(columns).toContain(column)
    })

    it('are in no column, answer, job or live picture once every session was erased and every request answered', async () => {
      const org = server.orgs.find(({ orgId }) => orgId === world.scope.orgId)!
      for (const key of [org.liveKey, org.sandboxKey]) await eraseAll(key)
      await answerAll()
      await server.processAll()
      expect(await unlawful()).toEqual([])
    })

    it('nor in a file of the data folder, but for the database and letters that were sent', async () => {
      const files = await readdir(server.app.config.dataDir, { recursive: true, withFileTypes: true })
      const own = files.filter((entry) => entry.isFile() && !/^database\.sqlite/.test(entry.name))
      const kept = own.filter(({ parentPath }) => !parentPath.endsWith('outbox'))
      expect(kept.length).toBeGreaterThan(0)
      for (const file of kept)
        expect(await readFile(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain(canaryMark)
    })

    it('nor in what was logged at any time, with every level on', () => {
      expect(logged.length).toBeGreaterThan(0)
      expect(logged.filter((line) => line.includes(canaryMark))).toEqual([])
    })

    it('when and of which kind, and how many, stays; the audit chain and the events still hold', async () => {
      const api = server.client(world.key)
      const { data } = await api.call('sessions.events.list', { params: { id: world.live.id }, query: { limit: 100 } })
      expect(new Set(data.items.map(({ kind }) => kind))).toContain('foreground.changed')
      expect(data.counts['foreground.changed']).toBe(1)
      // Whether something was so before stays: without it a state would become an event.
      const left = data.items.map((item) => [
        Object.keys(item.data).filter((key) => key !== 'sinceBeforeSession'),
        item.source,
      ])
      expect(left).toEqual(data.items.map(() => [[], '']))
      const { data: report } = await api.call('sessions.report', { params: { id: world.live.id } })
      expect(report.signalTotal).toBeGreaterThan(15)
      const { eventCatalog } = await import('@integrity/protocol')
      const events = await api.call('events.list', {
        query: { limit: 100, types: 'session.ended,source.health_changed' },
      })
      expect(events.data.items.length).toBeGreaterThan(1)
      for (const { type, data: said } of events.data.items)
        eventCatalog.find((event) => event.type === type)?.data.parse(said)
    })

    it("go in the candidate's own erasure, too; the answer still reaches them, and then nobody's address is there", async () => {
      const { scope, key } = world
      const member = await asMember(server, scope.orgId)
      const { id: sessionId } = await scheduleSession(server.client(key), { candidateLabel: `${canaryMark}-own-x` })
      const email = `${canaryMark}-own-x@example.org`
      const params = { orgId: scope.orgId, id: sessionId }
      const body = { email, name: `${canaryMark}-own-x`, message: `${canaryMark}-own-x` }
      await server.client().call('portal.invitations.create', { ...member, params, body })
      await server.client(key).call('sessions.end', { params: { id: sessionId } })
      const token = await requestLink(server, scope, sessionId)
      const { data } = await server.client(token).call('candidateRequests.submit', { body: { kind: 'erasure' } })
      const path = { orgId: scope.orgId, requestId: data.id }
      await server
        .client()
        .call('portal.candidateRequests.approve', { ...member, params: path, body: { text: 'Done.' } })
      await server.processAll()
      const outbox = join(server.app.config.dataDir, 'outbox')
      const letters = await Promise.all((await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')))
      expect(letters.filter((letter) => letter.includes(`To: ${email}`)).length).toBeGreaterThan(0)
      const rows = await Promise.all(
        (await tables()).map((table) => server.app.db.reader.all<Row>(`SELECT * FROM ${table}`)),
      )
      expect(JSON.stringify(rows)).not.toContain(`${canaryMark}-own-x`)
    })

    it('a key that was used does nothing twice, and does not answer with what was erased', async () => {
      const api = server.client(world.key)
      const create = { body: { candidateLabel: 'Somebody' }, idempotencyKey: 'key-of-an-erased-one' }
      const { data } = await api.call('sessions.create', create)
      await api.call('sessions.erase', { params: { id: data.id } })
      await expect(api.call('sessions.create', create)).rejects.toMatchObject({ code: 'conflict' })
    })
  })
