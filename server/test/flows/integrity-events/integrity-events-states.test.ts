import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canReadPdf, readPdf } from '../../../src/platform/pdf/pdf.test-support.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { specOf } from '../../test-support/examples.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { send } from '../../test-support/send.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent, register, scheduleSession } from '../../test-support/world.ts'
import { unzip } from '../../test-support/zips.ts'
import { bundleOf } from '../bundles/bundles.test-support.ts'
import { submit, verb } from '../candidate-requests/candidate-requests.test-support.ts'

type Told = readonly [kind: string, second: number, value: object, before?: true]

const [one, two] = [{ id: '1' }, { id: '2' }]
const sent: readonly Told[] = [
  ['display.added', 1, one, true],
  ['vm.hint', 2, { from: 'dmi', value: 'KVM' }, true],
  ['idle.started', 20, { idleMs: 1 }],
  // The agent came back; meanwhile somebody had connected a display.
  ['display.added', 60, one, true],
  ['vm.hint', 61, { from: 'dmi', value: 'KVM' }, true],
  ['display.added', 60, two, true],
]
const camera = { kind: 'camera', name: 'Camera' }
/** Of a camera that was taken out, and was there again when the agent came back. */
const cameBack: readonly Told[] = [
  ['display.added', 1, one, true],
  ['device.added', 2, camera, true],
  ['device.removed', 30, camera],
  ['display.added', 60, one, true],
  ['device.added', 61, camera, true],
]
const happened = ['display.added', 'idle.started']

for (const engine of enginesInTurn(import.meta.filename))
  describe(`what was so before (${engine})`, () => {
    let server: TestServer

    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const played = async (told = sent) => {
      const api = server.client(server.orgs[0].sandboxKey)
      const session = await scheduleSession(api)
      await register(server, session)
      const start = server.clock.now()
      const events = told.map(([kind, second, value, before]) => ({
        ...anEvent(server, kind),
        observedAt: new Date(start + second * 1000).toISOString(),
        data: { observerVersion: 1, method: 'test', value, ...(before && { sinceBeforeSession: true }) },
      }))
      server.clock.advance(120_000)
      const params = { id: session.id }
      await server.client(session.agent).call('agent.events.ingest', { params, body: { events } })
      return { api, params }
    }
    const asOwner = async () => ({ headers: await portalCookie(server, 'owner') })
    const kindsOf = (items: readonly { readonly kind: string }[]) => items.map(({ kind }) => kind).toSorted()

    it('is in no count and at no moment; after a restart only what differs is', async () => {
      const { api, params } = await played()
      const { data: report } = await api.call('sessions.report', { params })
      expect(report).toMatchObject({ signalTotal: 2, signalsByKind: { 'display.added': 1, 'idle.started': 1 } })
      expect(report.atStart).toMatchObject([
        { kind: 'display.added', data: { value: one, sinceBeforeSession: true } },
        { kind: 'vm.hint', data: { value: { value: 'KVM' } } },
      ])
      const { data: found } = await server.client().call('portal.coverage', { params, query: {}, ...(await asOwner()) })
      expect(found.items.filter(({ rule }) => rule !== 'lane_gap')).toMatchObject([
        { rule: 'display_connected', lanes: ['signals'], reading: { data: { value: two } } },
      ])
    })

    it('is not on the timeline, in the live signals or among the events of an export, which has it apart', async () => {
      const { params } = await played()
      const query = { kind: 'event', limit: 2 } as const
      const { data: timeline } = await server.client().call('portal.timeline', { params, query, ...(await asOwner()) })
      expect(timeline).toMatchObject({ total: 2, nextCursor: null })
      expect(timeline.items).toHaveLength(2)
      const { data: live } = await server.client().call('sessions.live', { params, query: {}, ...(await asOwner()) })
      expect(kindsOf(live.signals.items)).toEqual(happened)
      expect(live.signals.total).toBe(2)
      const answer = await send(server.url, specOf('portal.sessions.export'), { ...(await asOwner()), params })
      const file = JSON.parse(answer.text)
      expect(kindsOf(file.events)).toEqual(happened)
      expect(file.atStart).toHaveLength(4)
    })

    it('stands apart on paper, in the bundle and in the copy that the candidate gets', async () => {
      const { api, params } = await played()
      await api.call('sessions.end', { params })
      const { headers } = await asOwner()
      const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' } as const
      const interview = { scope, sessionId: params.id, agent: '', key: server.orgs[0].sandboxKey }
      const { id, token } = await submit(server, interview, 'access', { text: 'Please.' })
      await verb(server, 'approve', id, { text: 'Here it is.' })
      const archive = await fetch(`${server.url}/v1/candidate-requests/archive`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ requestId: id, locale: 'en' }),
      })
      const copy = unzip(Buffer.from(await archive.arrayBuffer()))
      const page = copy.get('index.html')!.toString()
      const [, states = '', events = ''] = page.split(
        /What the program saw each time the recording started|Events on the computer/,
      )
      expect(states.match(/display added|vm hint/g), page).toEqual([
        'display added',
        'vm hint',
        'display added',
        'vm hint',
      ])
      expect(events.match(/display added|vm hint|idle started/g)).toEqual(['idle started', 'display added'])
      const { events: told, atStart } = JSON.parse(copy.get('copy.json')!.toString())
      expect([kindsOf(told), atStart.length]).toEqual([happened, 4])

      const bundle = await bundleOf(server, params)
      const report = JSON.parse(bundle.get('reports/report-unsigned.json')!.toString())
      expect(report.signals).toMatchObject({ total: 2, byKind: { 'display.added': 1, 'idle.started': 1 } })

      if (!canReadPdf) return
      const pdf = await fetch(`${server.url}/v1/sessions/${params.id}/report/export?format=pdf`, { headers })
      const { text } = readPdf(Buffer.from(await pdf.arrayBuffer()))
      const [, said = ''] = text.split('What happened on the computer')
      expect(said).toMatch(/A display was connected\s+1\b/)
      expect(said).toMatch(/At the start/)
    })

    it('is an event after a restart where it was over in between', async () => {
      const { api, params } = await played(cameBack)
      const { data: report } = await api.call('sessions.report', { params })
      expect(report.signalsByKind).toEqual({ 'device.added': 1, 'device.removed': 1 })
      expect(report.atStart).toMatchObject([{ kind: 'display.added' }, { kind: 'device.added' }])
    })

    it('stays no event once the session was erased', async () => {
      const { api, params } = await played()
      await api.call('sessions.end', { params })
      await api.call('sessions.erase', { params })
      const { data: report } = await api.call('sessions.report', { params })
      expect(report.signalsByKind).toEqual({ 'display.added': 1, 'idle.started': 1 })
      expect(JSON.stringify(report.atStart)).not.toContain('KVM')
    })
  })
