import type { BuiltInRole } from '@integrity/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { openLive } from '../../test-support/live-client.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { register, scheduleSession } from '../../test-support/world.ts'

type Environment = 'live' | 'sandbox'
const roles = ['owner', 'admin', 'interviewer', 'reviewer'] as const

for (const engine of enginesInTurn(import.meta.filename))
  describe(`sessions in the portal (${engine})`, () => {
    let server: TestServer

    beforeAll(async () => {
      server = await startServer({ engine })
    })
    beforeEach(() => server.clock.advance(60_000))
    afterAll(() => server.stop())

    const org = () => server.orgs[0]
    const by = (role: BuiltInRole = 'interviewer', orgId = org().orgId) => portalCookie(server, role, orgId)
    const keyOf = (environment: Environment) => server.client(environment === 'live' ? org().liveKey : org().sandboxKey)
    const create = async (body: object = {}, role?: BuiltInRole, headers: object = {}) => {
      const all = { ...(await by(role)), ...headers }
      return (
        await server.client().call('portal.sessions.create', { params: { orgId: org().orgId }, headers: all, body })
      ).data
    }
    const list = async (query: object = {}, role?: BuiltInRole) => {
      const headers = await by(role)
      return (await server.client().call('portal.sessions.list', { params: { orgId: org().orgId }, headers, query }))
        .data
    }
    const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)
    const of = async (id: string, role?: BuiltInRole) => ({
      params: { orgId: org().orgId, id },
      headers: await by(role),
    })
    const patch = async (id: string, body: object, role?: BuiltInRole) =>
      (await server.client().call('portal.sessions.patch', { ...(await of(id, role)), body })).data
    const setMeeting = async (id: string, body: object, role?: BuiltInRole) =>
      (await server.client().call('portal.sessions.meeting.set', { ...(await of(id, role)), body: body as never })).data
        .meeting
    const removeMeeting = async (id: string, role?: BuiltInRole) =>
      (await server.client().call('portal.sessions.meeting.remove', await of(id, role))).data
    const join = async (id: string, role: 'candidate' | 'companion' = 'candidate', as?: BuiltInRole) =>
      (await server.client().call('portal.sessions.join', { ...(await of(id, as)), body: { role } })).data
    const read = async (id: string) => (await keyOf('live').call('sessions.get', { params: { id } })).data
    const auditOf = (id: string) =>
      server.app.db.reader.all<{ line: string }>(
        "SELECT action || ' ' || actor_kind AS line FROM audit_log WHERE session_id = ? ORDER BY seq",
        [id],
      )
    const live = async (body: object = {}) => {
      const made = await create(body)
      const session = { id: made.id, agent: made.agentJoinToken }
      await register(server, session)
      return session
    }
    const end = (id: string) => keyOf('live').call('sessions.end', { params: { id } })
    const erased = async () => {
      const { id } = await create()
      await keyOf('live').call('sessions.erase', { params: { id } })
      return id
    }
    const zoom = { provider: 'zoom', url: 'https://example.zoom.us/j/99?pwd=secret' }

    describe('portal.sessions.end', () => {
      it('ends a session of either environment in the name of the person, once', async () => {
        const { id } = await live({ environment: 'sandbox' })
        const stop = async (role?: BuiltInRole) =>
          (await server.client().call('portal.sessions.end', { ...(await of(id, role)), body: { reason: 'done' } }))
            .data
        expect(await refusalOf(stop('reviewer'))).toMatchObject({ status: 403 })
        const ended = await stop()
        expect(ended).toMatchObject({ id, state: 'ended', endReason: 'done' })
        server.clock.advance(1000)
        expect((await stop()).endedAt).toBe(ended.endedAt)
        expect(await auditOf(id)).toContainEqual({ line: 'session.ended user' })
      })
    })

    describe('portal.sessions.create', () => {
      it('makes the session that the public interface makes, in the name of the person', async () => {
        const body = { externalId: 'REQ-9', candidateLabel: 'Candidate 9', config: { retentionDays: 12 } }
        const made = await create(body)
        const { agentJoinToken, agentJoinTokenExpiresAt, ...session } = made
        expect(await read(made.id)).toEqual(session)
        const twin = (await keyOf('live').call('sessions.create', { body })).data
        expect(Object.keys(made).toSorted()).toEqual(Object.keys(twin).toSorted())
        const own = { id: twin.id, provisionedBy: twin.provisionedBy, agentJoinToken, agentJoinTokenExpiresAt }
        expect({ ...made, ...own }).toEqual({ ...twin, ...own })
        const person = { kind: 'user', id: expect.stringMatching(/^usr_/), label: expect.stringContaining('@') }
        expect(made).toMatchObject({ sandbox: false, provisionedBy: person })
        const agent = server.client(agentJoinToken)
        expect((await agent.call('agent.sessions.config', { params: { id: made.id } })).status).toBe(200)
        expect(await auditOf(made.id)).toEqual([{ line: 'session.created user' }])
        const { data } = await keyOf('live').call('events.list', { query: { sessionId: made.id } })
        expect(data.items.map(({ type }) => type)).toEqual(['session.scheduled'])
      })

      it('makes one in the sandbox when asked', async () => {
        const { id, sandbox } = await create({ environment: 'sandbox' })
        expect(sandbox).toBe(true)
        expect((await keyOf('sandbox').call('sessions.get', { params: { id } })).data.id).toBe(id)
        expect(await refusalOf(read(id))).toMatchObject({ status: 404 })
      })

      it('makes one session of 20 equal requests with one idempotency key', async () => {
        const headers = { 'idempotency-key': `portal-${engine}` }
        const post = () => create({ externalId: 'ONCE' }, 'admin', headers)
        // On Postgres, who comes while the first is running is told so.
        const outcomes = await Promise.allSettled(Array.from({ length: 20 }, post))
        const made = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value)
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 })
        made.push(await post())
        expect(new Set(made.map(({ id, agentJoinToken }) => `${id} ${agentJoinToken}`)).size).toBe(1)
        expect((await list({ externalId: 'ONCE' })).total).toBe(1)
      })

      it('takes a policy as the public interface does', async () => {
        const params = { orgId: org().orgId }
        const headers = await by('owner')
        const body = { name: 'For the portal', config: { retentionDays: 3, capture: { quality: 40 } } }
        const { data: policy } = await server.client().call('portal.policies.create', { params, headers, body })
        const made = await create({ policyId: policy.id, config: { retentionDays: 4 } })
        expect(made).toMatchObject({ policy: { id: policy.id, version: 1 }, config: { retentionDays: 4 } })
        expect(made.config.capture.quality).toBe(40)
        expect(await refusalOf(create({ policyId: 'pol_nobody' }))).toMatchObject({ details: [{ path: 'policyId' }] })
      })

      it('is for who may schedule', async () => {
        for (const role of roles) {
          if (role === 'reviewer') expect(await refusalOf(create({}, role))).toMatchObject({ status: 403 })
          else expect((await create({}, role)).state).toBe('scheduled')
        }
      })
    })

    describe('portal.sessions.list', () => {
      it('merges both environments in the order of time, by offset and by cursor, and narrows when asked', async () => {
        const from = new Date(server.clock.now()).toISOString()
        const made: string[] = []
        for (const environment of ['live', 'sandbox', 'sandbox', 'live', 'sandbox', 'live'] as const) {
          // Pairs at the same instant: their order must not depend on the page.
          if (made.length % 2 === 0) server.clock.advance(1000)
          made.push((await create({ environment })).id)
        }
        const whole = await list({ from })
        expect(whole.total).toBe(6)
        const inTime = whole.items.map(({ createdAt }) => createdAt)
        expect(inTime).toEqual(inTime.toSorted().toReversed())
        expect(idsOf(whole).toSorted()).toEqual(made.toSorted())
        for (const limit of [1, 2, 4]) {
          const paged: string[] = []
          for (let cursor: string | null = ''; cursor !== null; ) {
            const page: Awaited<ReturnType<typeof list>> = await list({ from, limit, ...(cursor !== '' && { cursor }) })
            paged.push(...idsOf(page))
            cursor = page.nextCursor
          }
          expect(paged).toEqual(idsOf(whole))
          const skipped = await list({ from, limit, offset: 3 })
          expect(idsOf(skipped)).toEqual(idsOf(whole).slice(3, 3 + limit))
        }
        const sandboxed = whole.items.filter(({ sandbox }) => sandbox)
        expect(await list({ from, sandbox: 'true' })).toMatchObject({ items: sandboxed, total: 3 })
        expect((await list({ from, sandbox: 'false' })).items.map(({ sandbox }) => sandbox)).toEqual([
          false,
          false,
          false,
        ])
      })

      it('pages by cursor past sessions that have one instant and one place in their environments', async () => {
        const { orgId, liveKey, sandboxKey } = server.orgs[1]
        const headers = await by('owner', orgId)
        const made: string[] = []
        for (const key of [liveKey, sandboxKey, liveKey, sandboxKey])
          made.push((await scheduleSession(server.client(key))).id)
        const paged: string[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const query: { limit: number; cursor?: string } = { limit: 1, ...(cursor !== '' && { cursor }) }
          const asked = server.client().call('portal.sessions.list', { params: { orgId }, headers, query })
          const { data }: Awaited<typeof asked> = await asked
          paged.push(...idsOf(data))
          cursor = data.nextCursor
        }
        expect(paged).toEqual([made[3], made[2], made[1], made[0]])
      })

      it('narrows by state, provisioner and handle, in both environments', async () => {
        const body = { externalId: 'NARROW' }
        const mine = await create({ ...body, environment: 'sandbox' }, 'admin')
        server.clock.advance(1000)
        const { id: theirs } = await scheduleSession(keyOf('live'), body)
        expect(idsOf(await list({ externalId: 'NARROW' }))).toEqual([theirs, mine.id])
        const provisionedBy = mine.provisionedBy.id
        expect(idsOf(await list({ externalId: 'NARROW', provisionedBy }))).toEqual([mine.id])
        const ofAdmin = await list({ provisionedBy, limit: 100 })
        expect(ofAdmin.items.every((item) => item.provisionedBy.id === provisionedBy)).toBe(true)
        expect(ofAdmin.total).toBe(ofAdmin.items.length)
        await end(theirs)
        expect(idsOf(await list({ externalId: 'NARROW', state: 'ended' }))).toEqual([theirs])
        expect(idsOf(await list({ provisionedBy, state: 'ended' }))).toEqual([])
      })

      it('is for every member, of their own organisation', async () => {
        const { id } = await create()
        for (const role of roles) expect(idsOf(await list({}, role))).toContain(id)
        const { orgId } = server.orgs[1]
        const headers = await by('owner', orgId)
        const { data } = await server.client().call('portal.sessions.list', { params: { orgId }, headers })
        expect(idsOf(data)).not.toContain(id)
        const foreign = server.client().call('portal.sessions.list', { params: { orgId: org().orgId }, headers })
        expect((await refusalOf(foreign)).status).toBe(404)
      })
    })

    describe('portal.sessions.patch', () => {
      it('changes the policy as the public interface does', async () => {
        const { id, config } = await create({ config: { capture: { quality: 50 } } })
        const changed = await patch(id, { capture: { screenshotIntervalSeconds: 3 } })
        expect(changed.config).toEqual({ ...config, capture: { ...config.capture, screenshotIntervalSeconds: 3 } })
        expect(await read(id)).toEqual(changed)
        expect(changed.policyVersion).toBe(2)
        expect(await auditOf(id)).toEqual([{ line: 'session.created user' }, { line: 'session.config_changed user' }])
      })

      it('is for who may manage sessions, and not once the session has ended', async () => {
        const { id } = await create()
        expect(await refusalOf(patch(id, {}, 'reviewer'))).toMatchObject({ status: 403 })
        await end(id)
        expect(await refusalOf(patch(id, {}))).toMatchObject({ status: 409 })
        expect(await refusalOf(patch('ses_nobody', {}))).toMatchObject({ status: 404 })
      })
    })

    describe('portal.sessions.meeting.set', () => {
      it('says which app to expect beside what a person chose, never inside', async () => {
        const { id } = await create({ config: { requiredApps: ['Editor'] } })
        const startsAt = '2026-12-24T09:00:00+05:30'
        const meeting = await setMeeting(id, { ...zoom, startsAt })
        const stored = { ...zoom, label: 'Zoom', startsAt: '2026-12-24T03:30:00.000Z', expectedApp: 'Zoom' }
        expect(meeting).toEqual(stored)
        expect(await read(id)).toMatchObject({ meeting: stored, config: { requiredApps: ['Editor'] } })
        expect(await removeMeeting(id)).toEqual({ id, deleted: true })
        expect(await read(id)).toMatchObject({ meeting: null, config: { requiredApps: ['Editor'] } })
        const lines = (await auditOf(id)).map(({ line }) => line)
        expect(lines.slice(1)).toEqual(['session.meeting_set user', 'session.meeting_removed user'])
      })

      it.each([
        ['zoom', 'https://zoom.us/j/1', 'Zoom'],
        ['zoom', 'https://Company.ZOOM.us/j/1', 'Zoom'],
        ['teams', 'https://teams.microsoft.com/l/meetup-join/19%3ameeting', 'Microsoft Teams'],
        ['teams', 'https://teams.live.com/meet/9', 'Microsoft Teams'],
        ['meet', 'https://meet.google.com/abc-defg-hij', 'Google Meet'],
        ['webex', 'https://example.webex.com/meet/a', 'Webex'],
        ['other', 'https://meet.example.org:8443/room', null],
        ['other', 'https://zoom.us/j/1', null],
      ])('takes for %s %s', async (provider, url, expectedApp) => {
        const { id } = await create()
        const label = expectedApp ?? new URL(url).hostname
        expect(await setMeeting(id, { provider, url })).toEqual({ provider, url, label, startsAt: null, expectedApp })
      })

      it('refuses what is no plain https address, or is somewhere else than its provider', async () => {
        const { id } = await create()
        const refused = [
          ...[
            'HTTPS://zoom.us/j/1',
            'http://zoom.us/j/1',
            'zoom.us/j/1',
            'javascript:alert(1)',
            'https://',
            'ftp://zoom.us/j',
            '//zoom.us/j',
          ],
          ...['https://me@zoom.us/j', 'https://me:word@zoom.us/j', 'https://@zoom.us/j', 'https:\\\\zoom.us/j'],
          ...['https://zoom.us/\u202ej', 'https://zoom.us/\u0001', 'https://zoom.us/a b', 'https://zo\tom.us/j'],
          ...['https://zoom.us/\u200bj', ' https://zoom.us/j', 'https://zoom.us\\@evil.example/j', 'https://[::1'],
          ...['https://zoom.us.evil.example/j', 'https://evilzoom.us/j', 'https://evil.example/zoom.us'],
          ...['https://z\u043e\u043em.us/j', 'https://zoom.us./j', 'https://zoom.us:444/j', 'https://teams.live.com/j'],
        ]
        for (const url of refused) {
          const refusal = await refusalOf(setMeeting(id, { provider: 'zoom', url }))
          expect(refusal, url).toMatchObject({ status: 400, details: [{ path: 'url' }] })
        }
        const bad = async (body: object) => (await refusalOf(setMeeting(id, body))).details?.map(({ path }) => path)
        expect(await bad({ provider: 'other', url: `https://e.example/${'x'.repeat(2000)}` })).toEqual(['url'])
        expect(await bad({ ...zoom, provider: 'skype' })).toEqual(['provider'])
        expect(await bad({ ...zoom, startsAt: 'tomorrow' })).toEqual(['startsAt'])
        expect(await bad({ ...zoom, startsAt: '1969-12-31T00:00:00Z' })).toEqual(['startsAt'])
        expect(await bad({ ...zoom, expectedApp: 'Solitaire' })).toEqual(['expectedApp'])
        expect((await read(id)).meeting).toBeNull()
      })

      it('is told to a live agent over its socket at once, and so is its end; the same again is no news', async () => {
        const session = await live({ config: { requiredApps: ['Editor'] } })
        const agent = server.client(session.agent)
        const params = { id: session.id }
        const config = async () => await agent.call('agent.sessions.config', { params })
        const before = await config()
        const client = await openLive(server.url, session.id, { token: session.agent })
        await setMeeting(session.id, zoom)
        expect((await client.seen(2))[1]).toEqual({ type: 'config_changed', policyVersion: 2 })
        const etag = before.headers.get('etag') ?? ''
        const told = await agent.call('agent.sessions.config', { params, headers: { 'if-none-match': etag } })
        expect(told.status).toBe(200)
        expect(told.data).toMatchObject({
          meeting: { ...zoom, expectedApp: 'Zoom' },
          config: { requiredApps: ['Editor'] },
          consentDocument: { hash: before.data.consentDocument.hash },
        })
        await setMeeting(session.id, zoom)
        await removeMeeting(session.id)
        expect((await client.seen(3))[2]).toEqual({ type: 'config_changed', policyVersion: 3 })
        expect((await config()).data).toMatchObject({ meeting: null, config: { requiredApps: ['Editor'] } })
        await removeMeeting(session.id)
        expect((await read(session.id)).policyVersion).toBe(3)
        client.socket.terminate()
        await client.closed
      })

      it('is for who may manage sessions, in either environment, and until the session ends or is erased', async () => {
        const { id } = await create({ environment: 'sandbox' })
        for (const role of roles) {
          const setting = setMeeting(id, zoom, role)
          if (role === 'reviewer') expect(await refusalOf(setting)).toMatchObject({ status: 403 })
          else expect((await setting).expectedApp).toBe('Zoom')
        }
        expect(await refusalOf(removeMeeting(id, 'reviewer'))).toMatchObject({ status: 403 })
        const over = await live()
        await setMeeting(over.id, zoom)
        await end(over.id)
        expect(await refusalOf(setMeeting(over.id, zoom))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/ended/),
        })
        expect(await refusalOf(removeMeeting(over.id))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/ended/),
        })
        await keyOf('live').call('sessions.erase', { params: { id: over.id } })
        expect((await read(over.id)).meeting).toBeNull()
        const gone = await erased()
        expect(await refusalOf(setMeeting(gone, zoom))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/erased/),
        })
        expect(await refusalOf(removeMeeting(gone))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/erased/),
        })
      })

      it("is not for another organisation's session", async () => {
        const { id } = await create()
        const { orgId } = server.orgs[1]
        const foreign = { params: { orgId, id }, headers: await by('owner', orgId) }
        const calls = [
          () => server.client().call('portal.sessions.meeting.set', { ...foreign, body: zoom as never }),
          () => server.client().call('portal.sessions.meeting.remove', foreign),
          () => server.client().call('portal.sessions.patch', { ...foreign, body: {} }),
          () => server.client().call('portal.sessions.join', { ...foreign, body: { role: 'candidate' } }),
        ]
        for (const call of calls) expect(await refusalOf(call())).toMatchObject({ status: 404, code: 'not_found' })
      })
    })

    describe('portal.sessions.join', () => {
      it('mints a ticket that works once, for who may manage sessions', async () => {
        const { id } = await create()
        for (const role of roles) {
          if (role === 'reviewer') expect((await refusalOf(join(id, 'candidate', role))).status).toBe(403)
          else expect(await join(id, 'candidate', role)).toMatchObject({ role: 'candidate' })
        }
        const { joinCode, url } = await join(id)
        expect(url).toContain(joinCode)
        const redeem = () => server.client().call('agent.sessions.join', { body: { joinCode } })
        const outcomes = await Promise.allSettled(Array.from({ length: 20 }, redeem))
        expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
        expect((await join(id, 'companion')).url).toContain('/companion/#')
      })

      it('mints none for a session that has ended or was erased', async () => {
        const { id } = await create()
        await end(id)
        expect(await refusalOf(join(id))).toMatchObject({ status: 409, message: expect.stringMatching(/ended/) })
        expect(await refusalOf(join(await erased()))).toMatchObject({ status: 409 })
      })
    })
  })
