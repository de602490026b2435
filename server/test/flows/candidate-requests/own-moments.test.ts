import type { Client } from '@integrity/client/every-endpoint'
import { baseRateSessions } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { momentStatementsPerSession } from '../../../src/domains/candidates/candidate-requests/submitting.service.ts'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { requestLink } from '../../test-support/candidate-requests.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { allLanes, anEvent, fullConfig, register, scheduleSession } from '../../test-support/world.ts'
import { asMember, day, hour, mailsOf, refused, verb } from './candidate-requests.test-support.ts'

interface Held {
  readonly id: string
  readonly token: string
}

for (const engine of everyEngine())
  describe(`the moments of an interview, for its candidate (${engine})`, () => {
    let server: TestServer
    let api: Client
    let orgId: string

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
      orgId = server.orgs[0].orgId
    })
    afterAll(async () => {
      await server.processAll()
      expect((await verifyAudit(server.app, { orgId })).ok).toBe(true)
      await server.stop()
    })

    const tokenOf = (id: string) => requestLink(server, { orgId, environment: 'sandbox' }, id)
    /** An interview of two minutes in which a display was connected and a virtual machine was reported. */
    const live = async (body: object = { config: fullConfig }): Promise<Held> => {
      const session = await scheduleSession(api, body)
      await register(server, session, allLanes)
      server.clock.advance(60_000)
      const events = [anEvent(server, 'display.added')]
      const agent = server.client(session.agent)
      await agent.call('agent.events.ingest', { params: { id: session.id }, body: { events } })
      server.clock.advance(30_000)
      await agent.call('agent.events.ingest', {
        params: { id: session.id },
        body: { events: [anEvent(server, 'vm.hint')] },
      })
      server.clock.advance(30_000)
      return { id: session.id, token: await tokenOf(session.id) }
    }
    const held = async (body?: object): Promise<Held> => {
      const one = await live(body)
      await api.call('sessions.end', { params: { id: one.id } })
      return one
    }
    const momentsOf = async ({ token }: Held, body: object = {}) =>
      (await server.client(token).call('candidateRequests.moments', { body })).data
    const momentOf = async (one: Held, rule: string): Promise<string> =>
      (await momentsOf(one)).items.find((moment) => moment.rule === rule)?.id ?? ''
    const say = async ({ token }: Held, moment: string, text: string) => {
      server.clock.advance(1000)
      const body = { kind: 'context_statement', text, moment } as const
      return (await server.client(token).call('candidateRequests.submit', { body })).data
    }
    const coverageOf = (id: string) => asMember(server, 'portal.coverage', { params: { id }, query: {} })
    const signOff = (id: string, expectedRevision = 0) =>
      asMember(server, 'portal.report.signOff', { params: { id }, body: { expectedRevision } })

    it('are those that reviewers see, with nothing that reviewers wrote, once the interview has ended', async () => {
      const one = await live()
      expect(await momentsOf(one)).toEqual({ notYet: true, items: [], next: null })
      await api.call('sessions.end', { params: { id: one.id } })
      const { items: theirs } = await coverageOf(one.id)
      const body = { momentId: theirs[0]?.id ?? '', meaning: 'needs_context', text: 'SECRET of the reviewers' } as const
      await asMember(server, 'portal.coverage.annotate', { params: { id: one.id }, body })
      const own = await momentsOf(one)
      expect(own).toMatchObject({ notYet: false, next: null })
      expect(own.items.map(({ rule }) => rule)).toEqual(
        expect.arrayContaining(['display_connected', 'virtual_machine']),
      )
      expect(own.items).toEqual(
        theirs.map(({ id, at, untilAt, rule, title, lanes, commonReasons, baseRate }) => ({
          id,
          at,
          untilAt,
          rule,
          title,
          lanes,
          commonReasons,
          baseRate,
          statements: [],
        })),
      )
      expect(JSON.stringify(own)).not.toContain('SECRET')
      expect((await momentsOf(one, { after: 1 })).items).toEqual(own.items.slice(1))
      expect(await momentsOf(one, { after: 1000 })).toMatchObject({ items: [], next: null })
      expect((await momentsOf(await held({}))).items).not.toEqual(own.items)
    })

    it('say how usual each is where the organisation shows it to its reviewers, and nowhere else', async () => {
      const body = { name: 'Of many', config: fullConfig }
      const { id: policyId } = await asMember(server, 'portal.policies.create', { params: { orgId }, body })
      const all: Held[] = []
      for (let n = 0; n < baseRateSessions; n += 1) all.push(await held({ policyId }))
      server.clock.advance(day + hour)
      await server.processAll()
      const last = all.at(-1)!
      const fresh = { ...last, token: await tokenOf(last.id) }
      const rateOf = async () =>
        (await momentsOf(fresh)).items.find(({ rule }) => rule === 'display_connected')?.baseRate
      expect(await rateOf()).toEqual({ sessions: baseRateSessions, seenIn: baseRateSessions })
      await asMember(server, 'portal.policies.versions.create', {
        params: { orgId, policyId },
        body: { config: { baseRates: false } },
      })
      expect(await rateOf()).toBe(null)
    })

    it('can be written about, several at once, each beside its moment wherever words stand', async () => {
      const one = await held()
      const [display, machine] = [await momentOf(one, 'display_connected'), await momentOf(one, 'virtual_machine')]
      const client = server.client(one.token)
      const general = { kind: 'context_statement', text: 'It was noisy.' } as const
      await client.call('candidateRequests.submit', { body: general })
      const first = await say(one, display, 'I put the laptop into its dock.')
      const second = await say(one, machine, 'My school gives virtual desktops.')
      expect(first).toMatchObject({ isNew: true, status: 'received', moment: { id: display } })
      expect(second).toMatchObject({ isNew: true, moment: { id: machine } })
      const again = await say(one, display, 'Other words.')
      expect(again).toMatchObject({ isNew: false, id: first.id, messages: first.messages })
      expect((await client.call('candidateRequests.submit', { body: general })).data.isNew).toBe(false)

      const mine = (await momentsOf(one)).items.map(({ id, statements }) => [id, statements.map(({ text }) => text)])
      expect(Object.fromEntries(mine)).toMatchObject({
        [display]: ['I put the laptop into its dock.'],
        [machine]: ['My school gives virtual desktops.'],
      })
      const { items, total } = await coverageOf(one.id)
      expect(items).toHaveLength(total)
      const theirs = items.map(({ id, statements }) => [id, statements.map(({ text }) => text)])
      expect(theirs).toEqual(mine)
      const moment = { id: display, at: items.find(({ id }) => id === display)?.at }
      const { data: report } = await api.call('sessions.report', { params: { id: one.id } })
      expect(report.statements.map(({ moment: about }) => about?.id ?? null)).toEqual([null, display, machine])
      expect(report.statements[1]).toMatchObject({ text: 'I put the laptop into its dock.', readAt: null, moment })
      const timeline = await asMember(server, 'portal.timeline', {
        params: { id: one.id },
        query: { kind: 'statement' },
      })
      expect(timeline.items[1]).toMatchObject({ statement: { requestId: first.id, moment } })
      const context = { params: { orgId, sessionId: one.id } }
      const { statements } = await asMember(server, 'portal.candidateContext.get', context)
      expect(statements[1]).toMatchObject({ requestId: first.id, moment })
      const { data: index } = await api.call('sessions.reelIndex.get', { params: { id: one.id } })
      expect(index?.statements[1]).toMatchObject({ moment })
      expect((await verb(server, 'get', first.id)).moment).toEqual(moment)
      const { data: page } = await client.call('candidateRequests.view')
      expect(page.requests.map(({ moment: about }) => about?.id ?? null)).toEqual([machine, display, null])
    })

    it('stop a sign-off while words about them are unread, and make one before them stale', async () => {
      const one = await held()
      const display = await momentOf(one, 'display_connected')
      const words = [
        await say(one, display, 'I put the laptop into its dock.'),
        await say(one, await momentOf(one, 'virtual_machine'), 'It is a virtual desktop.'),
      ]
      expect(await refused(signOff(one.id))).toMatchObject({
        status: 409,
        message: expect.stringContaining('2 statements of the candidate are unread'),
      })
      for (const { id } of words) await verb(server, 'complete', id)
      const signed = await signOff(one.id)
      const exported = await asMember(server, 'portal.report', { params: { id: one.id } })
      expect(exported).toMatchObject({ status: 'signed_off', staleness: null })
      expect((await say(one, display, 'One thing more.')).isNew).toBe(true)
      const { data } = await api.call('sessions.report', { params: { id: one.id } })
      expect(data).toMatchObject({ revision: signed.revision, status: 'stale', staleness: { cause: 'statement' } })
    })

    it('arrive once however often they are sent, and are announced once while they wait', async () => {
      const one = await held()
      const [display, machine] = [await momentOf(one, 'display_connected'), await momentOf(one, 'virtual_machine')]
      const mails = await mailsOf(server, async () => {
        const body = { kind: 'context_statement', text: 'The dock.', moment: display } as const
        const sent = await Promise.all(
          Array.from({ length: 6 }, () => server.client(one.token).call('candidateRequests.submit', { body })),
        )
        expect(sent.filter(({ data }) => data.isNew)).toHaveLength(1)
        const idempotencyKey = 'the-same-words'
        const other = { body: { ...body, moment: machine }, idempotencyKey }
        const first = await server.client(one.token).call('candidateRequests.submit', other)
        const retried = await server.client(one.token).call('candidateRequests.submit', other)
        expect(retried.data).toEqual(first.data)
      })
      expect(mails).toHaveLength(1)
    })

    it('are refused in words where nothing is shown under that id, and nothing is kept', async () => {
      const [one, other, going] = [await held(), await held(), await live()]
      const foreign = await momentOf(other, 'display_connected')
      const submit = (token: string, body: object) =>
        server.client(token).call('candidateRequests.submit', { body: body as never })
      const statement = { kind: 'context_statement', text: 'Words.' }
      for (const moment of [foreign, `mom_${'0'.repeat(26)}`])
        expect(await refused(submit(one.token, { ...statement, moment }))).toMatchObject({
          status: 400,
          message: 'moment: is not a moment of this interview',
        })
      expect(await refused(submit(going.token, { ...statement, moment: foreign }))).toMatchObject({
        status: 400,
        message: expect.stringContaining('moment: this interview has not ended'),
      })
      const moment = await momentOf(one, 'display_connected')
      for (const body of [
        { kind: 'access', moment },
        { ...statement, text: ' ', moment },
        { ...statement, moment: 'ses_1' },
        { ...statement, moment: '' },
      ])
        expect((await refused(submit(one.token, body))).status).toBe(400)
      for (const { token } of [one, going])
        expect((await server.client(token).call('candidateRequests.view')).data.requests).toEqual([])
    })

    it(`take ${momentStatementsPerSession} statements, which keep nobody from asking for something`, async () => {
      let one = await held()
      const moment = await momentOf(one, 'display_connected')
      for (let n = 0; n < momentStatementsPerSession; n += 1) {
        const { id, isNew } = await say(one, moment, `Words ${n}`)
        expect(isNew).toBe(true)
        await verb(server, 'complete', id)
        one = { ...one, token: await tokenOf(one.id) }
      }
      expect(await refused(say(one, moment, 'More'))).toMatchObject({
        status: 409,
        message: expect.stringContaining(String(momentStatementsPerSession)),
      })
      const { data } = await server.client(one.token).call('candidateRequests.submit', { body: { kind: 'erasure' } })
      expect(data).toMatchObject({ isNew: true, moment: null })
    })

    it('are none once the interview was erased, and what was written about them is gone', async () => {
      const one = await held()
      const display = await momentOf(one, 'display_connected')
      await say(one, display, 'PURPLE words')
      await api.call('sessions.erase', { params: { id: one.id } })
      const after = { ...one, token: await tokenOf(one.id) }
      expect(await momentsOf(after)).toEqual({ notYet: false, items: [], next: null })
      expect(await refused(say(after, display, 'More'))).toMatchObject({
        status: 400,
        message: expect.stringContaining('moment: what was captured in this interview was erased'),
      })
      const { data } = await api.call('sessions.report', { params: { id: one.id } })
      expect(data.statements).toMatchObject([{ text: null }])
    })
  })
