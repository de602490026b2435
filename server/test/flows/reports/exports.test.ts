import { hash } from 'node:crypto'
import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { checkpointKey, verifyCheckpoint } from '../../../src/kernel/audit/audit.checkpoint.ts'
import { canReadPdf, readPdf } from '../../../src/platform/pdf/pdf.test-support.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { specOf } from '../../test-support/examples.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { failureOf, pathOf, send } from '../../test-support/send.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  allLanes,
  anEvent,
  aSegment,
  fullConfig,
  newPicture,
  register,
  scheduleSession,
  sha256,
  stillFor,
  type WorldSession,
} from '../../test-support/world.ts'

interface Listed {
  readonly id: string
  readonly at: string
  readonly kind: string
}
interface Bundle {
  readonly format: string
  readonly session: { readonly id: string; readonly candidateLabel: string | null }
  readonly consents: readonly { readonly documentHash: string }[]
  readonly coverage: readonly { readonly lane: string; readonly gaps: readonly unknown[] }[]
  readonly moments: readonly { readonly id: string; readonly rule: string; readonly annotations: readonly object[] }[]
  readonly timeline: readonly Listed[]
  readonly events: readonly Listed[]
  readonly bookkeeping: readonly Listed[]
  readonly transcript: readonly { readonly id: string; readonly text: string }[]
  readonly inventory: readonly { readonly id: string; readonly sha256: string; readonly erasedAt: string | null }[]
  readonly audit: readonly { readonly seq: number; readonly action: string; readonly hash: string }[]
  readonly chain: { readonly checkpoint: string }
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`what leaves the service as a file (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(async () => {
      expect((await verifyAudit(server.app, { orgId: server.orgs[0].orgId })).ok).toBe(true)
      await server.stop()
    })

    interface Held {
      readonly session: WorldSession
      readonly picture: string
    }
    /** An ended interview with something of everything. */
    const interview = async (segments = 3): Promise<Held> => {
      const session = await scheduleSession(api, {
        candidateLabel: 'Candidate 12',
        externalId: 'R-7',
        config: fullConfig,
      })
      await register(server, session, allLanes)
      const agent = server.client(session.agent)
      const params = { id: session.id }
      const start = server.clock.now()
      const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()
      server.clock.advance(600_000)
      const picture = await newPicture()
      const still = { ...stillFor(server, picture), data: picture.toString('base64') }
      await agent.call('agent.screenshots.upload', { params, body: still })
      const gap = { lane: 'screen', displayId: 'My own display', fromAt: at(60), toAt: at(120), reason: 'unplugged' }
      const events = [
        { ...anEvent(server, 'display.added'), observedAt: at(60) },
        { ...anEvent(server, 'foreground.changed'), observedAt: at(61), data: { value: { application: 'My editor' } } },
        { ...anEvent(server, 'lane.gap'), data: gap },
      ]
      await agent.call('agent.events.ingest', { params, body: { events } })
      for (let n = 0; n < segments; n += 100) {
        const some = Array.from({ length: Math.min(100, segments - n) }, (_one, i) => aSegment(n + i))
        await agent.call('agent.transcript.upsert', {
          params,
          body: { segments: some.filter(({ endMs }) => endMs < 600_000) },
        })
      }
      await api.call('sessions.end', { params })
      return { session, picture: sha256(picture) }
    }

    const get = async (
      id: 'portal.report.export' | 'portal.sessions.export',
      sessionId: string,
      query: Record<string, string> = {},
      role: 'admin' | 'interviewer' | 'owner' | 'reviewer' = 'owner',
    ) => {
      const headers = await portalCookie(server, role)
      return send(server.url, specOf(id), { headers, params: { id: sessionId }, query })
    }
    const bundle = async (sessionId: string): Promise<Bundle> => {
      const answer = await get('portal.sessions.export', sessionId, {}, 'reviewer')
      expect(answer.status, answer.text.slice(0, 500)).toBe(200)
      return JSON.parse(answer.text) as Bundle
    }
    const rowsOf = async (sessionId: string, action: string) =>
      (
        await server.client().call('portal.auditLogs.list', {
          params: { orgId: server.orgs[0].orgId },
          query: { sessionId, action },
          headers: await portalCookie(server, 'owner'),
        })
      ).data.items

    describe('portal.sessions.export', () => {
      it('holds all that is kept, each place of the timeline named in the list of its kind', async () => {
        const { session, picture } = await interview()
        const file = await bundle(session.id)
        expect(file).toMatchObject({
          format: 'session-export/1',
          session: { id: session.id, candidateLabel: 'Candidate 12' },
          inventory: [{ sha256: picture, erasedAt: null }],
        })
        expect(file.consents.length).toBeGreaterThan(0)
        expect(file.moments.map(({ rule }) => rule)).toContain('display_connected')
        expect(file.coverage.find(({ lane }) => lane === 'screen')?.gaps.length).toBeGreaterThan(0)
        const listed = new Set([...file.events, ...file.transcript, ...file.inventory].map(({ id }) => id))
        expect(file.timeline).toHaveLength(listed.size)
        for (const { id } of file.timeline) expect(listed).toContain(id)
        expect(file.timeline.map(({ at }) => at)).toEqual(file.timeline.map(({ at }) => at).toSorted())
        expect(file.bookkeeping.map(({ kind }) => kind)).toContain('lane.gap')
      })

      it('is whole where a list is longer than what is read at once', async () => {
        const { session } = await interview(599)
        const file = await bundle(session.id)
        expect(file.transcript).toHaveLength(599)
        expect(new Set(file.timeline.map(({ id }) => id)).size).toBe(602)
      })

      it('has the rows of the chain, and its end, signed', async () => {
        const { session } = await interview()
        const { audit, chain } = await bundle(session.id)
        expect(audit.map(({ seq }) => seq)).toEqual(audit.map(({ seq }) => seq).toSorted((a, b) => b - a))
        expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(['session.exported', 'session.ended']))
        expect(JSON.stringify(audit)).not.toContain('@example.org')
        const { publicKey } = checkpointKey(server.app.keyring)
        const reading = verifyCheckpoint([publicKey], server.orgs[0].orgId, chain.checkpoint)
        expect(reading).toMatchObject({ status: 'verified' })
        if (reading.status === 'verified') expect(reading.head.seq).toBeGreaterThanOrEqual(audit[0]!.seq)
      })

      it('has what people said of it', async () => {
        const { session } = await interview()
        const params = { id: session.id }
        const owner = { headers: await portalCookie(server, 'owner') }
        const { data } = await server.client().call('portal.coverage', { params, ...owner })
        const momentId = data.items[0]!.id
        const body = { momentId, meaning: 'benign' as const, text: 'It was the dock.' }
        await server.client().call('portal.coverage.annotate', { params, body, ...owner })
        await server.client().call('portal.notes.add', { params, body: { text: 'A note.' }, ...owner })
        expect(await bundle(session.id)).toMatchObject({
          notes: [{ text: 'A note.' }],
          annotations: [{ momentId, text: 'It was the dock.' }],
        })
        const explained = (await bundle(session.id)).moments.find(({ id }) => id === momentId)
        expect(explained?.annotations).toMatchObject([{ text: 'It was the dock.' }])
      })

      it('says nothing of what was erased', async () => {
        const { session } = await interview()
        await api.call('sessions.erase', { params: { id: session.id } })
        const answer = await get('portal.sessions.export', session.id)
        expect(answer.text).not.toMatch(/Candidate 12|My own display|My editor|Sentence 1/)
        const file = JSON.parse(answer.text) as Bundle
        expect(file.inventory[0]?.erasedAt).not.toBeNull()
        expect(file.events).toHaveLength(2)
      })

      it('is accounted for, and not for those who may only look', async () => {
        const { session } = await interview()
        expect((await get('portal.sessions.export', session.id, {}, 'interviewer')).status).toBe(403)
        expect(await rowsOf(session.id, 'session.exported')).toHaveLength(0)
        await bundle(session.id)
        expect(await rowsOf(session.id, 'session.exported')).toMatchObject([
          { target: session.id, actor: { kind: 'user' } },
        ])
      })
    })

    describe('portal.report.export', () => {
      it('of what nobody has signed is the session as it stands, and says so', async () => {
        const { session } = await interview()
        const answer = await get('portal.report.export', session.id, { format: 'json' })
        expect(answer.status).toBe(200)
        expect(answer.headers.get('x-service-report-revision')).toBe('0')
        expect(answer.headers.get('x-service-report-sha256')).toBe(hash('sha256', answer.text, 'hex'))
        expect(answer.headers.get('content-disposition')).toContain(`report-${session.id}-unsigned.json`)
        const report = JSON.parse(answer.text) as Record<string, unknown>
        expect(report).toMatchObject({ format: 'session-report/1', signOff: null, session: { externalId: 'R-7' } })
        // The same instant, the same bytes.
        expect((await get('portal.report.export', session.id, { format: 'json', revision: '0' })).text).toBe(
          answer.text,
        )
      })

      it('holds nothing that an erasure takes: displays by number, no words of the agent, nobody by name', async () => {
        const { session } = await interview()
        const before = (await get('portal.report.export', session.id, { format: 'json' })).text
        expect(before).not.toMatch(/Candidate 12|My own display|My editor|Sentence 1|Laptop/)
        expect(JSON.parse(before)).toMatchObject({ signals: { byKind: { 'foreground.changed': 1 } } })
        const screen = (JSON.parse(before) as { lanes: { lane: string; gaps: object[]; displays: object[] }[] })
          .lanes[0]
        expect(screen?.gaps).toContainEqual(expect.objectContaining({ reason: 'unplugged', seconds: 60 }))
        expect(screen?.displays).toMatchObject([{ display: 1 }, { display: 2 }])
        await api.call('sessions.erase', { params: { id: session.id } })
        const after = (await get('portal.report.export', session.id, { format: 'json' })).text
        const lanesOf = (text: string) =>
          (JSON.parse(text) as { lanes: { lane: string; gaps: object[] }[] }).lanes[0]?.gaps
        expect(lanesOf(after)).toEqual(lanesOf(before))
      })

      it('of a revision is what was signed, byte for byte, JSON and PDF, whatever is written after it', async () => {
        const { session } = await interview()
        const params = { id: session.id }
        const owner = { headers: await portalCookie(server, 'owner') }
        const sign = async (expectedRevision: number, statement: string) =>
          (
            await server
              .client()
              .call('portal.report.signOff', { params, body: { expectedRevision, statement }, ...owner })
          ).data
        const first = await sign(0, 'मैंने सब देखा।')
        const both = async (revision?: string) => {
          const query: Record<string, string> = revision === undefined ? {} : { revision }
          const json = await get('portal.report.export', session.id, { ...query, format: 'json' })
          const pdf = await get('portal.report.export', session.id, query)
          for (const answer of [json, pdf]) expect(answer.status, answer.text.slice(0, 300)).toBe(200)
          expect(json.headers.get('content-disposition')).toContain(
            `report-${session.id}-${json.headers.get('x-service-report-revision')}.json`,
          )
          return { json: json.text, pdf: pdf.text, sha256: json.headers.get('x-service-report-sha256') }
        }
        const before = await both()
        expect(before.sha256).toBe(first.sha256)
        expect(hash('sha256', before.json, 'hex')).toBe(first.sha256)
        expect(JSON.parse(before.json)).toMatchObject({ signOff: { revision: 1, statement: 'मैंने सब देखा।' }, notes: [] })

        await server.client().call('portal.notes.add', { params, body: { text: 'Seen later.' }, ...owner })
        server.clock.advance(60_000)
        expect(await both()).toEqual(before)
        const second = await sign(1, 'Once more.')
        const newer = await both()
        expect(newer.sha256).toBe(second.sha256)
        expect(JSON.parse(newer.json)).toMatchObject({
          signOff: { revision: 2, supersedes: 1 },
          notes: [{ text: 'Seen later.' }],
        })
        await api.call('sessions.erase', { params })
        // On paper the candidate's name and the moments are beside the signed text: they go.
        for (const [revision, signed] of [
          ['1', before],
          ['2', newer],
          [undefined, newer],
        ] as const) {
          const { pdf, ...rest } = await both(revision)
          expect(rest).toEqual({ json: signed.json, sha256: signed.sha256 })
          expect(pdf).not.toBe(signed.pdf)
        }
        const now = await get('portal.report.export', session.id, { format: 'json', revision: '0' })
        expect(JSON.parse(now.text)).toMatchObject({ signOff: null, notes: [{ text: 'Seen later.' }] })
        expect((await get('portal.report.export', session.id, { format: 'json', revision: '3' })).status).toBe(404)
      })

      it.skipIf(!canReadPdf)('on paper says whose it is, what was agreed, and what an erasure takes', async () => {
        const { session } = await interview()
        const paper = async () => {
          const url = server.url + pathOf(specOf('portal.report.export'), { params: { id: session.id } })
          const answer = await fetch(url, { headers: await portalCookie(server, 'owner') })
          return readPdf(Buffer.from(await answer.arrayBuffer())).text
        }
        const before = await paper()
        for (const words of ['Candidate 12', 'agreed', 'SHA-256', 'The device went away.', 'A display was connected'])
          expect(before).toContain(words)
        for (const word of ['display.added', 'foreground.changed', 'lane.gap']) expect(before).not.toContain(word)
        await api.call('sessions.erase', { params: { id: session.id } })
        expect(await paper()).not.toContain('Candidate 12')
      })

      it('is a PDF where nothing else is asked for, the same for the same instant', async () => {
        const { session } = await interview()
        const [one, two] = [
          await get('portal.report.export', session.id),
          await get('portal.report.export', session.id),
        ]
        expect(one.headers.get('content-type')).toBe('application/pdf')
        expect(one.headers.get('content-disposition')).toContain(`report-${session.id}-unsigned.pdf`)
        expect(one.text.slice(0, 8)).toBe('%PDF-1.7')
        expect(two.text).toBe(one.text)
      })

      it('refuses a revision that is not there and a format that is none', async () => {
        const { session } = await interview()
        const gone = await get('portal.report.export', session.id, { format: 'json', revision: '1' })
        expect([gone.status, failureOf(gone).error.message]).toEqual([404, 'revision not found'])
        for (const query of [{ format: 'docx' }, { revision: '-1' }, { revision: '1e9' }] as Record<string, string>[])
          expect((await get('portal.report.export', session.id, query)).status).toBe(400)
      })

      it('is for owners and admins alone, and accounted for', async () => {
        const { session } = await interview()
        for (const role of ['interviewer', 'reviewer'] as const)
          expect((await get('portal.report.export', session.id, { format: 'json' }, role)).status).toBe(403)
        const answer = await get('portal.report.export', session.id, { format: 'json' }, 'admin')
        const sum = answer.headers.get('x-service-report-sha256')
        expect(await rowsOf(session.id, 'report.exported')).toMatchObject([
          { target: session.id, payload: { format: 'json', revision: 0, sha256: sum } },
        ])
      })
    })
  })
