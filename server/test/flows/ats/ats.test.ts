import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ConnectionRow } from '../../../src/domains/integrations/ats/ats.types.ts'
import { findConnection, markBroken } from '../../../src/domains/integrations/ats/connections.store.ts'
import { readInbound, takeInbound } from '../../../src/domains/integrations/ats/inbound.service.ts'
import { insertLink } from '../../../src/domains/integrations/ats/syncs.store.ts'
import { haveAts, theirApplicant } from '../../test-support/ats-double.ts'
import { theirCredentials } from '../../test-support/ats-systems.ts'
import { buildCaptureSession } from '../../test-support/capture-session.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describeAts, hour, trigger } from './ats.test-support.ts'

describeAts('applicant tracking', (t) => {
  const {
    params,
    connectWith,
    connect,
    change,
    list,
    syncs,
    replay,
    send,
    newsOf,
    enter,
    live,
    sessionsOf,
    begin,
    end,
  } = t

  describe('a connection', () => {
    it('shows its secret once and its credentials never, and names what is wrong with them', async () => {
      const one = await connect()
      expect(one.inboundSecret).toMatch(/^atsin_\w{32}$/)
      expect(one.inboundUrl).toBe(`${t.server.app.config.baseUrl}/v1/integrations/ats/${params().orgId}/${one.id}`)
      expect(one.settings).toEqual({
        triggerStages: [trigger],
        policyId: null,
        invite: true,
        push: ['scheduled', 'ended', 'report'],
        mapping: { policies: [], label: 'name' },
      })
      const everywhere = JSON.stringify([
        await list(),
        await t.server.app.db.reader.all('SELECT * FROM ats_connections'),
        await t.server.app.db.reader.all(`SELECT * FROM audit_log WHERE action LIKE 'ats.%'`),
        t.server.logLines,
      ])
      for (const secret of ['gh-client-secret', one.inboundSecret]) expect(everywhere).not.toContain(secret)
      const lever = { provider: 'lever', label: 'L', settings: {} }
      for (const [body, path] of [
        [{ ...lever, credentials: {} }, 'credentials.apiKey'],
        [{ ...lever, credentials: { apiKey: 'k', region: 'mars' } }, 'credentials.region'],
        [
          { ...lever, credentials: theirCredentials.lever, settings: { policyId: 'pol_00000000000000000000000000' } },
          'policyId',
        ],
        [{ ...lever, provider: 'workday', credentials: {} }, 'provider'],
      ] as const)
        expect(await refusalOf(connectWith(body))).toMatchObject({ status: 400, details: [{ path }] })
      for (const [credentials, path] of [
        [{ clientId: 'x' }, 'credentials.clientSecret'],
        [{ ...theirCredentials.greenhouse, extra: 'x' }, 'credentials.extra'],
      ] as const)
        expect(await refusalOf(change(one.id, { credentials }))).toMatchObject({ status: 400, details: [{ path }] })
    })

    it('is of its organisation alone', async () => {
      const one = await connect()
      const headers = await portalCookie(t.server, 'owner', t.server.orgs[1].orgId)
      const theirs = { params: { orgId: t.server.orgs[1].orgId, configId: one.id }, headers }
      for (const id of ['portal.ats.sync', 'portal.ats.test', 'portal.ats.remove', 'portal.ats.rotateSecret'] as const)
        expect(await refusalOf(t.server.client().call(id, theirs))).toMatchObject({ status: 404 })
    })

    it('takes nothing that was read before it was taken away', async () => {
      const one = await connect()
      const { payload, headers } = newsOf(one, theirApplicant(t.double))
      const { app } = t.server
      const message = { bytes: Buffer.from(payload), headers }
      const of = { orgId: params().orgId, configId: one.id }
      const read = await readInbound({ ...app, reader: app.db.reader }, { ...of, message })
      await asMember(t.server, 'portal.ats.remove', { params: { ...params(), configId: one.id } })
      const taking = app.db.transact((tx) => takeInbound({ ...app, tx }, { orgId: of.orgId, read }))
      await expect(taking).rejects.toMatchObject({ code: 'unauthorized' })
      expect((await syncs(one.id)).items).toEqual([])
    })

    it('verifies with the token that a provider makes itself, and keeps it when a key is changed', async () => {
      const one = await connect('lever', {}, { signingToken: 'of-lever' })
      expect(one.inboundSecret).toBe('of-lever')
      await change(one.id, { credentials: { apiKey: 'lever-key' } })
      expect(await send(one, newsOf(one, theirApplicant(t.double)))).toBe(200)
      await change(one.id, { credentials: { apiKey: 'lever-key', signingToken: 'newer' } })
      expect(await send(one, newsOf(one, theirApplicant(t.double)))).toBe(401)
      expect(await send(one, newsOf(one, theirApplicant(t.double), { secret: 'newer' }))).toBe(200)
    })

    it('says that its credentials are refused, and new ones mend it', async () => {
      const one = await connect('lever')
      t.double.fault = () => ({ status: 401 })
      const person = theirApplicant(t.double)
      await enter(one, person)
      expect((await syncs(one.id)).items[0]).toMatchObject({
        status: 'failed',
        attempts: 1,
        problem: expect.stringMatching(/does not take the credentials/),
      })
      expect((await list())[0]).toMatchObject({ status: 'broken' })
      expect(await refusalOf(change(one.id, { status: 'connected' }))).toMatchObject({ status: 409 })
      t.double.fault = undefined
      const refused = await findConnection(t.server.app.db.reader, params().orgId, one.id)
      expect(await change(one.id, { credentials: theirCredentials.lever })).toMatchObject({
        status: 'connected',
        problem: null,
      })
      // An answer that was on its way meanwhile is of the credentials of before.
      await t.server.app.db.transact((tx) => markBroken(tx, params().orgId, refused as ConnectionRow, 'refused'))
      expect((await list())[0]).toMatchObject({ status: 'connected', problem: null })
      const [failed] = (await syncs(one.id)).items
      expect(await replay(one.id, failed?.id ?? '')).toMatchObject({ status: 'pending', replayOf: failed?.id })
      await t.server.processAll()
      expect(await sessionsOf(person, 'lever')).toHaveLength(1)
    })

    it('gets a new token of Greenhouse when the old one has ended, once for all who ask', async () => {
      const one = await connect()
      const ask = () => asMember(t.server, 'portal.ats.test', { params: { ...params(), configId: one.id } })
      expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill({ ok: true, problem: null }))
      const before = t.double.asked.filter(({ system }) => system === 'auth').length
      expect(before).toBeLessThanOrEqual(1)
      t.double.tokens.clear()
      expect(await ask()).toEqual({ ok: true, problem: null })
      expect(t.double.asked.filter(({ system }) => system === 'auth')).toHaveLength(before + 1)
    })

    it('waits as long as its provider asks', async () => {
      const one = await connect('lever', { push: [], invite: false })
      t.double.fault = () => ({ status: 429, headers: { 'retry-after': '120' } })
      const person = theirApplicant(t.double)
      await enter(one, person)
      const [waiting] = (await syncs(one.id)).items
      expect(waiting?.nextAttemptAt).toBe(new Date(t.server.clock.now() + 120_000).toISOString())
      t.double.fault = undefined
      t.server.clock.advance(119_000)
      await t.server.processAll()
      expect(await sessionsOf(person, 'lever')).toHaveLength(0)
      t.server.clock.advance(2000)
      await t.server.processAll()
      expect(await sessionsOf(person, 'lever')).toHaveLength(1)
    })

    it('is named among those to whom data goes', async () => {
      await connect('ashby')
      const { destinations } = await asMember(t.server, 'portal.compliance.dataProcessing', { params: params() })
      expect(destinations.filter(({ kind }) => kind === 'ats')).toEqual([
        { kind: 'ats', name: 'ashby: Hiring by ashby' },
      ])
    })
  })

  describe('who enters a stage', () => {
    it('gets none for a stage that is no trigger, while it is paused, or beside a session that is not over', async () => {
      const one = await connect()
      const person = theirApplicant(t.double, { stage: { id: '1', name: 'Offer' } })
      await enter(one, person)
      expect((await syncs(one.id)).items[0]).toMatchObject({
        status: 'ignored',
        problem: 'the stage is none of triggerStages',
      })
      await change(one.id, { settings: { triggerStages: ['1'] } })
      await change(one.id, { status: 'paused' })
      await enter(one, person)
      expect(await sessionsOf(person)).toEqual([])
      await change(one.id, { status: 'connected' })
      await enter(one, person)
      await enter(one, person)
      const [session, ...others] = await sessionsOf(person)
      expect(others).toEqual([])
      expect((await syncs(one.id, { direction: 'inbound' })).items[0]).toMatchObject({
        status: 'ignored',
        sessionId: session?.id,
      })
      await end(session?.id ?? '')
      await enter(one, person)
      expect(await sessionsOf(person)).toHaveLength(2)
    })

    it('is made a session by a policy, and nobody is written to where that was not wished for', async () => {
      const policy = await asMember(t.server, 'portal.policies.create', {
        params: params(),
        body: { name: `Of stages ${t.engine}`, config: { retentionDays: 7 } },
      } as never)
      const { id: policyId } = policy as unknown as { id: string }
      const one = await connect('greenhouse', { policyId, invite: false, push: [] })
      const person = theirApplicant(t.double)
      await enter(one, person)
      const [session] = await sessionsOf(person)
      expect(session).toMatchObject({ policy: { id: policyId } })
      const mails = await readOutbox(t.server)
      expect(mails.filter(({ to }) => to.includes(person.email ?? ''))).toEqual([])
      expect((await syncs(one.id)).total).toBe(1)
    })

    it('has a name that cannot hurt, and no address or none that is one is said', async () => {
      const one = await connect()
      const hostile = theirApplicant(t.double, {
        first: 'A\r\nBcc: all@example.org',
        last: '<script>',
        email: 'nobody',
      })
      await enter(one, hostile)
      expect((await syncs(one.id, { direction: 'inbound' })).items[0]).toMatchObject({
        status: 'done',
        problem: 'nobody was invited: the address is none',
      })
      expect((await sessionsOf(hostile))[0]?.candidateLabel).toBe('A Bcc: all@example.org <script>')
      const silent = theirApplicant(t.double, { email: null })
      await enter(one, silent)
      expect((await syncs(one.id, { direction: 'inbound' })).items[0]?.problem).toMatch(/gave no address/)
    })

    it('is kept sealed until it was worked on, and forgotten there when the session is erased', async () => {
      const one = await connect()
      const person = theirApplicant(t.double, { first: 'Purple', last: 'Hippopotamus' })
      expect(await send(one, newsOf(one, person))).toBe(200)
      const rows = async () => JSON.stringify(await t.server.app.db.reader.all('SELECT * FROM ats_syncs'))
      expect(await rows()).not.toContain('Hippopotamus')
      expect((await t.server.app.db.reader.all('SELECT 1 FROM ats_syncs WHERE wrapped_news IS NOT NULL')).length).toBe(
        1,
      )
      await t.server.processAll()
      expect((await t.server.app.db.reader.all('SELECT 1 FROM ats_syncs WHERE wrapped_news IS NOT NULL')).length).toBe(
        0,
      )
      const [session] = await sessionsOf(person)
      expect(await rows()).toContain(person.applicationId)
      await live().call('sessions.erase', { params: { id: session?.id ?? '' } })
      await t.server.processAll()
      expect(await rows()).not.toContain(person.applicationId)
      expect(await t.server.app.db.reader.all('SELECT * FROM ats_sessions')).toEqual([])
    })

    it('is each one session after a burst that the process did not outlive', async () => {
      const one = await connect('greenhouse', { push: [], invite: false })
      const people = Array.from({ length: 60 }, () => theirApplicant(t.double))
      const sending = people.map((person, n) => send(one, newsOf(one, person, { event: `burst-${n}` })).catch(() => 0))
      const first = await Promise.all(sending.slice(0, 30))
      await Promise.all([t.server.restart(), ...sending])
      haveAts(t.server, t.double)
      // A provider sends again what was not answered with 200, and some of what was.
      const again = people.map((person, n) => send(one, newsOf(one, person, { event: `burst-${n}` })))
      expect([...first, ...(await Promise.all(again))].every((status) => status === 200)).toBe(true)
      await t.server.processAll()
      for (const person of people) expect(await sessionsOf(person)).toHaveLength(1)
      expect((await syncs(one.id)).total).toBe(60)
    })

    it('and something else that is signed is taken and left alone', async () => {
      const one = await connect('ashby')
      for (const payload of ['{"action":"ping","data":{}}', '{"action":"candidateHire","data":{"application":{}}}']) {
        const signature = `sha256=${createHmac('sha256', one.inboundSecret).update(payload).digest('hex')}`
        expect(
          await send(one, { payload, headers: { 'content-type': 'application/json', 'ashby-signature': signature } }),
        ).toBe(200)
      }
      expect((await syncs(one.id)).total).toBe(0)
    })
  })

  describe('what is told', () => {
    it('is what was wished for, in words that judge nobody, and nothing of the sandbox', async () => {
      const one = await connect('lever', { push: ['report'], invite: false })
      const person = theirApplicant(t.double)
      await enter(one, person)
      const [session] = await sessionsOf(person, 'lever')
      await begin(session?.id ?? '')
      await end(session?.id ?? '')
      await t.server.processAll()
      expect(t.double.notes).toEqual([])
      const { data } = await t.server.client().call('portal.report.signOff', {
        params: { id: session?.id ?? '' },
        body: { expectedRevision: 0 },
        headers: await portalCookie(t.server, 'owner'),
      })
      await t.server.processAll()
      expect(t.double.notes).toHaveLength(1)
      expect(t.double.notes[0]?.text).toContain(`revision 1 of ${data.signedOffAt}, SHA-256 ${data.sha256}`)
    })

    it('is nothing of the sandbox, even where a session of it is linked to somebody who applies', async () => {
      const one = await connect('lever', { push: ['ended'], invite: false })
      const tried = await buildCaptureSession(t.server, { environment: 'sandbox' })
      const link = {
        sessionId: tried.id,
        connectionId: one.id,
        applicationId: 'opp-1',
        candidateId: 'con-1',
      }
      await t.server.app.db.transact((tx) => insertLink(tx, params().orgId, link, t.server.clock.now()))
      await tried.api.call('sessions.end', { params: { id: tried.id } })
      expect((await syncs(one.id)).items).toEqual([])
    })

    it('is nothing while the connection is paused, nor anything of then once it goes on', async () => {
      const one = await connect('lever', { push: ['ended'], invite: false })
      const person = theirApplicant(t.double)
      await enter(one, person)
      const [session] = await sessionsOf(person, 'lever')
      await change(one.id, { status: 'paused' })
      await end(session?.id ?? '')
      await t.server.processAll()
      await change(one.id, { status: 'connected' })
      await t.server.processAll()
      expect(t.double.notes).toEqual([])
      expect((await syncs(one.id, { direction: 'outbound' })).items).toEqual([])
    })

    it('is over when the connection is taken away first, and is run again by its own connection alone', async () => {
      const one = await connect('lever', { push: ['ended'], invite: false })
      const other = await connect('greenhouse')
      const person = theirApplicant(t.double)
      await enter(one, person)
      const [session] = await sessionsOf(person, 'lever')
      await t.server.client(t.server.orgs[0].liveKey).call('sessions.end', { params: { id: session?.id ?? '' } })
      const [waiting] = (await syncs(one.id, { direction: 'outbound' })).items
      expect(waiting).toMatchObject({ what: 'ended', status: 'pending' })
      await asMember(t.server, 'portal.ats.remove', { params: { ...params(), configId: one.id } })
      await t.server.processAll()
      const [gone] = (await syncs(one.id, { direction: 'outbound' })).items
      expect(gone).toMatchObject({ status: 'failed', problem: 'the connection was taken away' })
      expect(await refusalOf(replay(other.id, gone?.id ?? ''))).toMatchObject({ status: 404 })
    })

    it('gives up after the attempts of a webhook, and is run again when asked; what is done is not', async () => {
      const one = await connect('lever', { push: ['ended'], invite: false })
      const person = theirApplicant(t.double)
      await enter(one, person)
      t.double.fault = ({ path }) => (path.endsWith('/notes') ? 'cut' : undefined)
      const [session] = await sessionsOf(person, 'lever')
      await end(session?.id ?? '')
      for (let attempt = 0; attempt < 6; attempt++) {
        await t.server.processAll()
        t.server.clock.advance(3 * hour)
      }
      const [failed] = (await syncs(one.id, { status: 'failed' })).items
      expect(failed).toMatchObject({ what: 'ended', attempts: 6, nextAttemptAt: null })
      t.double.fault = undefined
      const again = await replay(one.id, failed?.id ?? '')
      await t.server.processAll()
      await t.server.app.db.transact((tx) =>
        tx.run("UPDATE jobs SET state = 'queued', finished_at = NULL WHERE kind = 'ats.sync' AND payload LIKE ?", [
          `%${again.id}%`,
        ]),
      )
      await t.server.processAll()
      expect(t.double.notes).toHaveLength(1)
      expect((await syncs(one.id, { direction: 'outbound' })).items.map(({ status }) => status)).toEqual([
        'done',
        'failed',
      ])
      expect(await refusalOf(replay(one.id, again.id))).toMatchObject({ status: 409, extra: { reason: 'done' } })
    })
  })
})
