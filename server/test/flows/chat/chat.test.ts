import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildCaptureSession } from '../../test-support/capture-session.ts'
import { type ChatDouble, haveSlack, startChatDouble } from '../../test-support/chat-double.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { addMember, deactivate, portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { scheduleSession } from '../../test-support/world.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

const minute = 60_000

for (const engine of enginesInTurn(import.meta.filename))
  describe(`chat (${engine})`, () => {
    let server: TestServer
    let double: ChatDouble
    beforeAll(async () => {
      double = await startChatDouble()
      server = await startServer({ engine })
    })
    beforeEach(async () => {
      await server.processAll()
      double.fault = undefined
      double.isEnterprise = false
      double.isGrown = false
      for (const list of [double.posted, double.cards, double.asked, double.broken]) list.length = 0
      await server.app.db.transact(async (tx) => {
        for (const table of ['chat_integrations', 'chat_deliveries', 'chat_delivery_counts', 'chat_states'])
          await tx.run(`DELETE FROM ${table}`)
      })
    })
    afterEach(() => expect(double.broken).toEqual([]))
    afterAll(async () => {
      await server.stop()
      await double.stop()
    })

    const params = () => ({ orgId: server.orgs[0].orgId })
    const install = (body: Parameters<typeof asMember<'portal.chat.install'>>[2]['body']) =>
      asMember(server, 'portal.chat.install', { params: params(), body })
    const list = async () => (await asMember(server, 'portal.chat.list', { params: params() })).items
    const change = (integrationId: string, body: object) =>
      asMember(server, 'portal.chat.update', { params: { ...params(), integrationId }, body })
    const announcements = async (integrationId: string, query: object = {}) =>
      await asMember(server, 'portal.chat.deliveries', { params: { ...params(), integrationId }, query })
    const begin = async () => new URL((await install({ provider: 'slack' })).url ?? '')
    const comeBack = async (query: Record<string, string>, cookie?: Record<string, string>) => {
      const headers = cookie ?? (await portalCookie(server, 'owner'))
      const address = `${server.url}/v1/integrations/comms/callback/slack?${new URLSearchParams(query)}`
      const answer = await fetch(address, { headers, redirect: 'manual' })
      return { status: answer.status, to: answer.headers.get('location'), body: await answer.text() }
    }
    let codes = 0
    const code = () => `code-${engine}-${++codes}`
    const connect = async () => {
      const state = (await begin()).searchParams.get('state') ?? ''
      expect(await comeBack({ state, code: code() })).toMatchObject({
        ...{ status: 302, to: expect.stringMatching(/\/account\/#chat\.installed$/) },
      })
      const [one] = await list()
      if (!one) throw new Error('nothing is installed')
      return one
    }
    const announcing = async (more: object = {}) => {
      const { id } = await connect()
      return change(id, { channelId: 'G00HIRING', events: ['session.scheduled', 'session.ended'], ...more })
    }
    const schedule = (body: object = {}) => scheduleSession(server.client(server.orgs[0].liveKey), body)
    const workflow = (sig = 'good') => `${double.url}/workflows/1?sp=run&sig=${sig}`

    it('says what an operator has to set up, and does without it', async () => {
      const { items } = await asMember(server, 'portal.chat.capabilities', { params: params() })
      expect(items.map(({ provider, configured }) => [provider, configured])).toEqual([
        ['slack', false],
        ['teams', true],
      ])
      expect(items[0]?.reason).toMatch(/SLACK_CLIENT_ID, SLACK_CLIENT_SECRET/)
      expect(await refusalOf(install({ provider: 'slack' }))).toMatchObject({
        ...{ status: 503, extra: { reason: 'not_configured' } },
      })
      haveSlack(server, double)
      expect((await asMember(server, 'portal.chat.capabilities', { params: params() })).items[0]?.configured).toBe(true)
    })

    describe('an install', () => {
      it('goes by the platform and keeps what was chosen when it is done again', async () => {
        const url = await begin()
        expect(Object.fromEntries(url.searchParams)).toMatchObject({
          ...{ client_id: '123.456', scope: 'chat:write,chat:write.public,channels:read,groups:read' },
          ...{ redirect_uri: `${server.app.config.baseUrl}/v1/integrations/comms/callback/slack` },
        })
        const one = await connect()
        expect(one).toMatchObject({ provider: 'slack', workspace: 'Harbour', status: 'connected', channel: null })
        const chosen = { reviewThreshold: 5, events: ['session.ended'], showCandidateLabel: true }
        await change(one.id, { channelId: 'C0GENERAL', ...chosen })
        const again = await connect()
        expect(again).toMatchObject({ id: one.id, channel: { id: 'C0GENERAL', name: 'general' }, ...chosen })
        expect(await list()).toHaveLength(1)
        // Never its token.
        expect(JSON.stringify(await list())).not.toContain('xoxb-')
        const kept = await server.app.db.reader.all<object>('SELECT * FROM chat_integrations')
        expect(JSON.stringify(kept)).not.toContain('xoxb-')
        const audited = await server.app.db.reader.all<object>(
          `SELECT * FROM audit_log WHERE org_id = ? AND action LIKE 'chat.%'`,
          [params().orgId],
        )
        expect(JSON.stringify(audited)).toContain('chat.installed')
        expect(JSON.stringify([audited, server.logLines])).not.toContain('xoxb-')
      })

      it('is good once, for ten minutes, for the one who began it, and while they may', async () => {
        const first = (await begin()).searchParams.get('state') ?? ''
        const other = await addMember(server, 'owner')
        const cookie = await seatOf(server, other.userId)
        expect(await comeBack({ state: first, code: code() }, cookie)).toMatchObject({ status: 409 })
        // Whoever tried it has used it up.
        expect(await comeBack({ state: first, code: code() })).toMatchObject({ status: 409 })
        const second = (await begin()).searchParams.get('state') ?? ''
        server.clock.advance(10 * minute)
        expect(await comeBack({ state: second, code: code() })).toMatchObject({ status: 409 })
        const third = (await begin()).searchParams.get('state') ?? ''
        const both = await Promise.all([1, 2].map(() => comeBack({ state: third, code: code() })))
        expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([302, 409])
        const admin = await addMember(server, 'admin')
        const theirs = await seatOf(server, admin.userId)
        const { data } = await server
          .client()
          .call('portal.chat.install', { params: params(), headers: theirs, body: { provider: 'slack' } })
        await server.app.db.transact((tx) =>
          tx.run(`UPDATE memberships SET role = 'interviewer' WHERE user_id = ?`, [admin.userId]),
        )
        const fourth = new URL(data.url ?? '').searchParams.get('state') ?? ''
        expect(await comeBack({ state: fourth, code: code() }, theirs)).toMatchObject({ status: 403 })
        await deactivate(server, admin.userId)
        expect(await comeBack({ state: 'x', code: code() })).toMatchObject({ status: 409 })
        expect(await comeBack({ state: first, code: code() }, {})).toMatchObject({ status: 401 })
        expect(await list()).toHaveLength(1)
      })

      it('that was declined, refused or cut off leaves nothing', async () => {
        const state = async () => (await begin()).searchParams.get('state') ?? ''
        expect(await comeBack({ state: await state(), error: 'access_denied' })).toMatchObject({
          ...{ status: 302, to: expect.stringMatching(/#chat\.declined$/) },
        })
        expect(await comeBack({ state: await state(), code: 'forged' })).toMatchObject({ status: 409 })
        double.isEnterprise = true
        expect((await comeBack({ state: await state(), code: code() })).body).toMatch(/one workspace/)
        double.fault = () => 'cut'
        expect(await comeBack({ state: await state(), code: code() })).toMatchObject({ status: 503 })
        expect(await list()).toEqual([])
      })

      it('of Teams is done at once, with an address that nobody sees again', async () => {
        const { url, integration } = await install({ provider: 'teams', url: workflow(), label: 'Hiring' })
        expect([url, integration?.channel]).toEqual([null, { id: 'workflow', name: 'Hiring' }])
        expect(JSON.stringify(await list())).not.toContain('sig=')
        for (const wrong of ['https://u:p@x.logic.azure.com/w', 'ftp://x.logic.azure.com/w', 'no address'])
          expect(await refusalOf(install({ provider: 'teams', url: wrong, label: 'Hiring' }))).toMatchObject({
            status: 400,
          })
        const config = server.app.config as { webhookAllowPrivate: boolean }
        config.webhookAllowPrivate = false
        for (const wrong of [
          'https://example.org/w',
          'http://x.logic.azure.com/w',
          'https://logic.azure.com.example.org/w',
        ])
          expect(await refusalOf(install({ provider: 'teams', url: wrong, label: 'Hiring' }))).toMatchObject({
            status: 400,
          })
        config.webhookAllowPrivate = true
      })
    })

    describe('an app', () => {
      it('posts into one of its channels only, of which it finds all', async () => {
        const { id } = await connect()
        const { items } = await asMember(server, 'portal.chat.channels', { params: { ...params(), integrationId: id } })
        expect(items).toEqual([
          { id: 'C0GENERAL', name: 'general', isPrivate: false },
          { id: 'G00HIRING', name: 'hiring', isPrivate: true },
        ])
        expect(await refusalOf(change(id, { channelId: 'C0NOWHERE' }))).toMatchObject({
          ...{ status: 400, details: [{ path: 'channelId' }] },
        })
        const theirs = { orgId: server.orgs[1].orgId, integrationId: id }
        const headers = await portalCookie(server, 'owner', server.orgs[1].orgId)
        expect(
          await refusalOf(server.client().call('portal.chat.channels', { params: theirs, headers })),
        ).toMatchObject({ status: 404 })
      })

      it('is named among those to whom data goes', async () => {
        const destinations = async () =>
          (await asMember(server, 'portal.compliance.dataProcessing', { params: params() })).destinations.filter(
            ({ kind }) => kind === 'chat',
          )
        expect(await destinations()).toEqual([])
        const { id } = await connect()
        expect(await destinations()).toEqual([{ kind: 'chat', name: 'slack: Harbour' }])
        await change(id, { showCandidateLabel: true })
        expect(await destinations()).toEqual([{ kind: 'chat', name: "slack: Harbour, with candidates' labels" }])
      })

      it('is forgotten when it is disconnected, and says what is left to do', async () => {
        const { id } = await connect()
        const { length: before } = [...double.tokens]
        const removed = await asMember(server, 'portal.chat.remove', { params: { ...params(), integrationId: id } })
        expect(removed).toMatchObject({ id, deleted: true, revoked: true })
        expect([...double.tokens]).toHaveLength(before - 1)
        expect(await list()).toEqual([])
        const kept = 'SELECT wrapped_secret AS secret FROM chat_integrations WHERE integration_id = ?'
        expect(await server.app.db.reader.all(kept, [id])).toEqual([{ secret: null }])
        expect((await announcements(id)).items).toEqual([])
        expect(await refusalOf(change(id, { status: 'paused' }))).toMatchObject({ status: 404 })
        const { integration } = await install({ provider: 'teams', url: workflow(), label: 'Hiring' })
        const integrationId = integration?.id ?? ''
        const gone = await asMember(server, 'portal.chat.remove', { params: { ...params(), integrationId } })
        expect(gone).toMatchObject({ revoked: false, note: expect.stringMatching(/owner can delete the workflow/) })
        const again = await connect()
        double.fault = () => 'cut'
        const cut = await asMember(server, 'portal.chat.remove', { params: { ...params(), integrationId: again.id } })
        expect(cut).toMatchObject({ revoked: false, note: expect.stringMatching(/Slack could not be told/) })
      })
    })

    describe('an announcement', () => {
      it('says that something happened and where to look, and names nobody unless that was chosen', async () => {
        const { id } = await announcing()
        const { id: sessionId } = await schedule({ candidateLabel: 'Asha <Verma> & Co' })
        await server.processAll()
        expect(double.posted).toHaveLength(1)
        expect(double.posted[0]?.channel).toBe('G00HIRING')
        expect(double.posted[0]?.text).toContain(`${server.app.config.baseUrl}/desk/interviews/${sessionId}`)
        expect(JSON.stringify(double.posted)).not.toContain('Asha')
        expect((await announcements(id)).items).toMatchObject([
          { eventType: 'session.scheduled', sessionId, status: 'delivered', attempts: 1, problem: null },
        ])
        // A job that is run again posts nothing again.
        const { id: deliveryId = '' } = (await announcements(id)).items[0] ?? {}
        const scope = { ...params(), environment: 'live' } as const
        await server.app.db.transact((tx) =>
          server.app.jobs.enqueue({ tx, scope }, { kind: 'chat.announce', payload: { deliveryId } }),
        )
        await server.processAll()
        expect(double.posted).toHaveLength(1)
        await change(id, { showCandidateLabel: true })
        await schedule({ candidateLabel: 'Asha <Verma> & Co' })
        await server.processAll()
        expect(double.posted[1]?.text).toContain('Asha &lt;Verma&gt; &amp; Co')
      })

      it('is made of what was chosen, and never of what is tried in the sandbox', async () => {
        const { id } = await announcing({ events: ['session.ended'] })
        await schedule()
        const sandbox = await buildCaptureSession(server, { environment: 'sandbox' })
        await sandbox.api.call('sessions.end', { params: { id: sandbox.id } })
        await server.processAll()
        expect((await announcements(id)).total).toBe(0)
        await change(id, { events: ['session.scheduled'], status: 'paused' })
        await schedule()
        await change(id, { status: 'connected' })
        await schedule()
        await server.processAll()
        expect([(await announcements(id)).total, double.posted.length]).toEqual([1, 1])
      })

      it('reaches a workflow of Teams as a card', async () => {
        const { integration } = await install({ provider: 'teams', url: workflow(), label: 'Hiring' })
        const integrationId = integration?.id ?? ''
        await change(integrationId, { events: ['session.scheduled'], showCandidateLabel: true })
        await schedule({ candidateLabel: '[Asha](https://example.com)' })
        await server.processAll()
        expect(JSON.stringify(double.cards)).toContain('\\\\[Asha\\\\]')
        await install({ provider: 'teams', url: workflow('bad'), label: 'Gone' })
        const gone = (await list()).find(({ workspace }) => workspace === 'Gone')
        await change(gone?.id ?? '', { events: ['session.scheduled'] })
        await schedule()
        await server.processAll()
        expect((await list()).find(({ workspace }) => workspace === 'Gone')).toMatchObject({
          ...{ status: 'broken', problem: expect.stringMatching(/does not take this address/) },
        })
      })

      it('waits as long as the platform asks, and comes once', async () => {
        const { id } = await announcing()
        double.fault = (path) =>
          path === '/api/chat.postMessage' ? { status: 429, headers: { 'retry-after': '30' }, body: '' } : undefined
        await schedule()
        await server.processAll()
        expect((await announcements(id)).items[0]).toMatchObject({ status: 'pending', attempts: 1 })
        double.fault = undefined
        server.clock.advance(29_000)
        await server.processAll()
        expect(double.posted).toHaveLength(0)
        server.clock.advance(2000)
        await server.processAll()
        expect(double.posted).toHaveLength(1)
        expect((await announcements(id)).items[0]).toMatchObject({ status: 'delivered', attempts: 2, problem: null })
      })

      for (const [fault, words] of [
        ['cut', 'Slack cannot be reached: the host closed the connection before its answer ended'],
        [{ status: 502, body: '<html>' }, 'Slack is in trouble (502)'],
        [{ status: 200, body: '<html>' }, 'Slack answers something that is no JSON'],
        [{ status: 200, body: '{"ok":false,"error":"fatal_error"}' }, 'Slack is in trouble (fatal_error)'],
      ] as const)
        it(`is tried again, and gives up in the end: ${words}`, async () => {
          const { id } = await announcing()
          double.fault = (path) => (path === '/api/chat.postMessage' ? fault : undefined)
          await schedule()
          await server.processAll()
          expect((await announcements(id)).items[0]).toMatchObject({ status: 'pending', problem: words })
          for (let attempt = 2; attempt <= 9; attempt++) {
            server.clock.advance(5 * minute)
            await server.processAll()
          }
          const [failed] = (await announcements(id, { status: 'failed' })).items
          expect(failed).toMatchObject({ attempts: 9, problem: words })
          double.fault = undefined
          const replay = { params: { ...params(), integrationId: id, deliveryId: failed?.id ?? '' } }
          const again = await asMember(server, 'portal.chat.replay', replay)
          expect(again).toMatchObject({ status: 'pending', replayOf: failed?.id })
          const pending = { params: { ...params(), integrationId: id, deliveryId: again.id } }
          expect(await refusalOf(asMember(server, 'portal.chat.replay', pending))).toMatchObject({ status: 409 })
          await server.processAll()
          expect(double.posted).toHaveLength(1)
          expect((await announcements(id)).items.map(({ status }) => status)).toEqual(['delivered', 'failed'])
          expect((await announcements(id, { status: 'delivered' })).total).toBe(1)
        })

      it('that waits when its app is disconnected is over, and says why', async () => {
        const { id } = await announcing()
        await schedule()
        await asMember(server, 'portal.chat.remove', { params: { ...params(), integrationId: id } })
        await server.processAll()
        const { items } = await announcements(id)
        expect(items).toMatchObject([{ status: 'failed', problem: 'the app was disconnected' }])
        // Each workflow is an app of its own.
        for (const sig of ['one', 'two']) await install({ provider: 'teams', url: workflow(sig), label: sig })
        expect(await list()).toHaveLength(2)
      })

      it('is not tried again where that mends nothing; an access that has ended shows, and a new install mends it', async () => {
        const { id } = await announcing()
        double.fault = (path) =>
          path === '/api/chat.postMessage' ? { status: 200, body: '{"ok":false,"error":"is_archived"}' } : undefined
        await schedule()
        await server.processAll()
        expect((await announcements(id)).items[0]).toMatchObject({
          ...{ status: 'failed', attempts: 1, problem: expect.stringMatching(/archived/) },
        })
        expect((await list())[0]).toMatchObject({ status: 'connected' })
        double.fault = undefined
        double.tokens.clear()
        await schedule()
        await server.processAll()
        expect((await list())[0]).toMatchObject({ status: 'broken', problem: expect.stringMatching(/does not know/) })
        await schedule()
        await server.processAll()
        expect((await announcements(id)).total).toBe(2)
        expect(await refusalOf(change(id, { status: 'connected' }))).toMatchObject({ status: 409 })
        expect(await connect()).toMatchObject({ id, status: 'connected', problem: null })
      })

      it('of a backlog comes once, until the backlog has fallen below its threshold', async () => {
        const { id } = await announcing({ events: [], reviewThreshold: 1 })
        const end = async () => {
          const session = await buildCaptureSession(server, { environment: 'live' })
          await session.api.call('sessions.end', { params: { id: session.id } })
        }
        const look = async () => {
          server.clock.advance(minute)
          await server.processAll()
          return (await announcements(id)).items.map(({ eventType }) => eventType)
        }
        await end()
        expect(await look()).toEqual([])
        await end()
        expect(await look()).toEqual(['review.backlog'])
        await end()
        expect(await look()).toEqual(['review.backlog'])
        await server.processAll()
        expect(double.posted.map(({ text }) => text)).toEqual([
          expect.stringMatching(/Reviews are waiting: \d+ are open/),
        ])
        await change(id, { reviewThreshold: 500 })
        expect(await look()).toEqual(['review.backlog'])
        await change(id, { reviewThreshold: 1 })
        expect(await look()).toEqual(['review.backlog', 'review.backlog'])
        await change(id, { status: 'paused', reviewThreshold: 1 })
        expect(await look()).toHaveLength(2)
        await change(id, { status: 'connected' })
        expect(await look()).toHaveLength(3)
      })
    })
  })
