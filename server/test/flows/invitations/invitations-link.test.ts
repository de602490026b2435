import type { EndpointMap, ResultOf } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { sendContact } from '../../../src/domains/candidates/invitations/answers.service.ts'
import { inspectInvitation, takeTicket } from '../../../src/domains/candidates/invitations/holder.service.ts'
import { linksCredentials } from '../../../src/domains/candidates/links/links.credentials.ts'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { hashSecret } from '../../../src/platform/crypto/secrets.ts'
import { describeInvitations, tokenIn } from '../../test-support/invitation-bench.ts'
import { inDays } from '../../test-support/invitations.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { withPublished } from '../../test-support/releases.ts'
import { register } from '../../test-support/world.ts'

const hour = 3_600_000

type Readiness = ResultOf<EndpointMap['invitations.readiness']>

describeInvitations('the link of an invitation', (t) => {
  const link = (token: string) => t.server.client(token)
  const nowIso = () => new Date(t.server.clock.now()).toISOString()
  const done = ({ steps }: Readiness) => steps.filter(({ at }) => at !== null).map(({ step }) => step)
  const withReason = (reason: string) => ({ status: 401, code: 'unauthorized', extra: { reason } })
  const end = (id: string) => t.server.client(t.server.orgs[0].liveKey).call('sessions.end', { params: { id } })
  const auditOf = async (target: string) =>
    (
      await t.server.app.db.reader.all<{ action: string }>(
        'SELECT action FROM audit_log WHERE target = ? ORDER BY seq',
        [target],
      )
    ).map(({ action }) => action)

  describe('invitations.inspect', () => {
    it('says who invites, when, and what will be asked for, in the wanted language', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      const { data } = await link(token).call('invitations.inspect', { body: { locale: 'hi-IN' } })
      expect(data).toMatchObject({
        invitation: { id: invitationId, name: 'Asha Rao', locale: 'en' },
        org: { name: expect.stringMatching(/^Org \d+$/), brand: {} },
        session: { id: sessionId, state: 'scheduled' },
        appointment: { durationMinutes: 60, timeZone: 'Europe/Berlin' },
        cancelledAt: null,
        consentDocument: { locale: 'hi' },
        downloads: [],
      })
      const { data: plain } = await link(token).call('invitations.inspect')
      expect(plain.consentDocument.locale).toBe('en')
      expect(JSON.stringify(plain)).not.toContain('candidate@example.org')
    })

    it('names the person who invites while they are a member, what was set anew, and what was cancelled', async () => {
      const { sessionId, token } = await t.invited()
      const inspected = async (with_: string) => (await link(with_).call('invitations.inspect')).data
      expect(await inspected(token)).toMatchObject({
        invitation: { invitedBy: null },
        session: { startedAt: null },
        appointmentChangedAt: null,
        cancelledAppointment: null,
      })
      const inviter = (await t.get(sessionId)).invitations[0]?.invitedBy.id ?? ''
      const rename = (name: string | null) =>
        t.server.app.db.transact((tx) => tx.run('UPDATE users SET name = ? WHERE user_id = ?', [name, inviter]))
      await rename(' Meera\r\nNair ')
      expect((await inspected(token)).invitation.invitedBy).toBe('Meera Nair')
      const standing = (active: number) =>
        t.server.app.db.transact((tx) =>
          tx.run('UPDATE memberships SET active = ? WHERE user_id = ?', [active, inviter]),
        )
      await standing(0)
      expect((await inspected(token)).invitation.invitedBy).toBeNull()
      await standing(1)
      await rename(null)
      t.server.clock.advance(hour)
      const moved = inDays(t.server, 5)
      await t.set(sessionId, moved)
      const fresh = tokenIn((await t.mails()).at(-1))
      expect((await inspected(fresh)).appointmentChangedAt).toBe(nowIso())
      await t.cancel(sessionId)
      expect(await inspected(fresh)).toMatchObject({
        appointment: null,
        appointmentChangedAt: null,
        cancelledAppointment: moved,
      })
    })

    it('keeps when it was first opened and audits every opening', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      const first = nowIso()
      await link(token).call('invitations.inspect')
      t.server.clock.advance(60_000)
      await link(token).call('invitations.inspect')
      expect((await t.get(sessionId)).invitations[0]?.openedAt).toBe(first)
      expect((await auditOf(invitationId)).filter((action) => action === 'invitation.opened')).toHaveLength(2)
    })

    it('offers the builds of the newest published version', async () => {
      const { token } = await t.invited()
      await withPublished(t.server)
      const { data } = await link(token).call('invitations.inspect')
      expect(data.downloads).toEqual([
        {
          platform: 'linux',
          arch: 'x64',
          version: '1.2.3',
          url: 'https://downloads.example.org/agent-1.2.3-linux.bin',
          sizeBytes: 98_400_000,
        },
      ])
    })
  })

  describe('invitations.ticket', () => {
    it('yields a join code that redeems once, and nothing else', async () => {
      const { sessionId, token } = await t.invited()
      const { status, data } = await link(token).call('invitations.ticket')
      expect(status).toBe(201)
      expect(Object.keys(data).sort()).toEqual(['expiresAt', 'joinCode', 'role', 'url'])
      expect(data).toMatchObject({ role: 'candidate', url: expect.stringMatching(/^integrity-agent:\/\/join\?code=/) })
      const join = () => t.server.client().call('agent.sessions.join', { body: { joinCode: data.joinCode } })
      expect((await join()).data.session.id).toBe(sessionId)
      expect((await refusalOf(join())).status).toBe(404)
    })

    it('is refused once the session has ended', async () => {
      const { sessionId, token } = await t.invited()
      await end(sessionId)
      expect(await refusalOf(link(token).call('invitations.ticket'))).toMatchObject({ status: 409 })
    })
  })

  describe('invitations.readiness', () => {
    it('grows with what the candidate does, each step at its time', async () => {
      const { sessionId, token } = await t.invited()
      const read = async () => (await link(token).call('invitations.readiness')).data
      const before = await read()
      expect(before.steps.map(({ step }) => step)).toEqual(['opened', 'ticket', 'joined', 'consented', 'live', 'ended'])
      expect(done(before)).toEqual([])
      await link(token).call('invitations.inspect')
      expect(done(await read())).toEqual(['opened'])
      t.server.clock.advance(1000)
      const { joinCode } = (await link(token).call('invitations.ticket')).data
      const ticketAt = nowIso()
      t.server.clock.advance(1000)
      await link(token).call('invitations.ticket')
      expect(await read()).toMatchObject({ steps: [{}, { step: 'ticket', at: ticketAt }, {}, {}, {}, {}] })
      const { data } = await t.server.client().call('agent.sessions.join', { body: { joinCode } })
      expect(done(await read())).toEqual(['opened', 'ticket', 'joined'])
      await register(t.server, { id: sessionId, agent: data.sessionToken })
      expect(done(await read())).toEqual(['opened', 'ticket', 'joined', 'consented', 'live'])
      await end(sessionId)
      expect(done(await read())).toEqual(['opened', 'ticket', 'joined', 'consented', 'live', 'ended'])
    })
  })

  describe('invitations.decline', () => {
    it('ends the link, tells who invited with the reason, and keeps the reason nowhere', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      const reason = 'I have accepted another offer, xylophone.\r\nThank you.'
      const { data } = await link(token).call('invitations.decline', { body: { reason } })
      expect(data.declinedAt).toBe(nowIso())
      const mails = await t.letters()
      expect(mails).toHaveLength(1)
      const { invitedBy } = (await t.get(sessionId)).invitations[0]!
      expect(mails[0]).toMatchObject({
        to: invitedBy.label,
        replyTo: 'candidate@example.org',
        subject: 'A candidate has declined an interview',
      })
      expect(mails[0]?.text).toContain('> I have accepted another offer, xylophone.\n> Thank you.')
      expect(mails[0]?.text).toContain('Asha Rao, candidate@example.org')
      expect(await refusalOf(link(token).call('invitations.inspect'))).toMatchObject(withReason('declined'))
      expect(await auditOf(invitationId)).toContain('invitation.declined')
      expect(await everyRowAsText()).not.toContain('xylophone')
      expect(t.server.logLines.join('')).not.toContain('xylophone')
    })

    it('without a reason tells them too', async () => {
      const { token } = await t.invited()
      await link(token).call('invitations.decline')
      const mails = await t.letters()
      expect(mails).toMatchObject([{ subject: 'A candidate has declined an interview' }])
      expect(mails[0]?.text).not.toContain('in their own words')
    })

    it('answers the same again with the same link, and tells nobody twice', async () => {
      const { token } = await t.invited()
      const decline = () => link(token).call('invitations.decline', { body: { reason: 'No time.' } })
      const first = (await decline()).data
      t.server.clock.advance(5000)
      expect((await decline()).data).toEqual(first)
      expect(await t.letters()).toHaveLength(1)
    })

    it('is refused by a link that was replaced or revoked', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      const decline = (body = {}) => refusalOf(link(token).call('invitations.decline', { body }))
      await t.resend(sessionId, invitationId)
      await t.letters()
      expect(await decline()).toMatchObject(withReason('replaced'))
      expect(await decline({ reason: 'No.' })).toMatchObject(withReason('replaced'))
      const other = await t.invited()
      await t.revoke(other.sessionId, other.invitationId)
      expect(await refusalOf(link(other.token).call('invitations.decline'))).toMatchObject(withReason('revoked'))
      expect((await t.get(sessionId)).invitations[0]?.status).toBe('live')
      expect(await t.letters()).toEqual([])
    })

    it('is refused once the interview has begun', async () => {
      const { sessionId, token } = await t.invited()
      const { data } = await link(token).call('invitations.ticket')
      const joined = await t.server.client().call('agent.sessions.join', { body: { joinCode: data.joinCode } })
      await register(t.server, { id: sessionId, agent: joined.data.sessionToken })
      const refused = await refusalOf(link(token).call('invitations.decline', { body: { reason: 'No.' } }))
      expect(refused).toMatchObject({ status: 409, message: expect.stringMatching(/has begun/) })
      expect(await t.letters()).toEqual([])
    })

    it('at once with a join code leaves no code that was made after it', async () => {
      for (let round = 0; round < 8; round++) {
        const { sessionId, token } = await t.invited()
        const take = () => link(token).call('invitations.ticket')
        const decline = () => link(token).call('invitations.decline')
        const first = round % 2 === 0 ? [take(), decline()] : [decline(), take()].reverse()
        const [ticket, declined] = await Promise.allSettled(first)
        if (!ticket || !declined) expect.fail()
        expect(declined.status).toBe('fulfilled')
        if (ticket.status === 'rejected') expect(ticket.reason).toMatchObject(withReason('declined'))
        const actions = await t.server.app.db.reader.all<{ action: string }>(
          `SELECT action FROM audit_log WHERE session_id = ? AND action IN ('session.join_link_created', 'invitation.declined')
           ORDER BY seq`,
          [sessionId],
        )
        expect(actions.at(-1)?.action).toBe('invitation.declined')
        expect(actions).toHaveLength(ticket.status === 'fulfilled' ? 2 : 1)
      }
      await t.letters()
    })

    it('ends what was let in before it and comes to the database after it', async () => {
      const { token } = await t.invited()
      const { app } = t.server
      const found = await linksCredentials.find(app.db.reader, hashSecret(token))
      if (found?.actor.kind !== 'link') expect.fail()
      const { actor } = found
      await link(token).call('invitations.decline')
      await t.letters()
      const late = [
        app.db.transact((tx) => takeTicket({ ...app, tx, reader: tx, scope: actor, actor })),
        app.db.transact((tx) => inspectInvitation({ ...app, tx, reader: tx, scope: actor, actor }, undefined)),
        sendContact({ ...app, scope: actor, actor }, { topic: 'question', text: 'Hello?' }),
      ]
      for (const outcome of await Promise.allSettled(late))
        expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 401, extra: { reason: 'declined' } } })
      expect(await t.letters()).toEqual([])
    })

    it('of 20 at once declines once and tells once', async () => {
      const { invitationId, token } = await t.invited()
      const calls = Array.from({ length: 20 }, () => link(token).call('invitations.decline'))
      const answers = await Promise.all(calls)
      expect(new Set(answers.map(({ data }) => data.declinedAt)).size).toBe(1)
      expect(await t.letters()).toHaveLength(1)
      expect(await auditOf(invitationId)).toContain('invitation.declined')
    })
  })

  describe('invitations.contact', () => {
    const body = { topic: 'question', text: 'I read slowly; who will be there? quokka' } as const

    it('mails the words to who invited, with where to answer, and keeps them nowhere', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      const { data } = await link(token).call('invitations.contact', { body })
      expect(data).toEqual({ sentAt: nowIso(), requestId: null })
      const { invitedBy } = (await t.get(sessionId)).invitations[0]!
      const mails = await t.mails()
      expect(mails).toMatchObject([
        { to: invitedBy.label, replyTo: 'candidate@example.org', subject: 'A candidate has a question' },
      ])
      expect(mails[0]?.text).toContain('> I read slowly; who will be there? quokka')
      expect(mails[0]?.text).toContain(sessionId)
      expect(await auditOf(invitationId)).toContain('invitation.contacted')
      expect(await everyRowAsText()).not.toContain('quokka')
      expect(t.server.logLines.join('')).not.toContain('quokka')
    })

    it('lets the answer go where the candidate wants it', async () => {
      const { token } = await t.invited()
      await link(token).call('invitations.contact', { body: { ...body, replyTo: 'elsewhere@example.org' } })
      expect(await t.mails()).toMatchObject([{ replyTo: 'elsewhere@example.org' }])
    })

    it('goes to the owners and admins once the inviter is no member any more', async () => {
      const { sessionId, token } = await t.invited()
      const { invitedBy } = (await t.get(sessionId)).invitations[0]!
      const membership = (active: number) =>
        t.server.app.db.transact((tx) =>
          tx.run('UPDATE memberships SET active = ? WHERE user_id = ?', [active, invitedBy.id]),
        )
      await membership(0)
      await link(token).call('invitations.contact', { body })
      await membership(1)
      expect((await t.mails()).map(({ to }) => to)).toEqual([t.server.orgs[0].email])
    })

    it('takes ten messages in an hour, also of 20 at once, and says when the next may come', async () => {
      const { token } = await t.invited()
      const send = () => link(token).call('invitations.contact', { body })
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, send))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
      expect(await t.mails()).toHaveLength(10)
      const refused = await refusalOf(send())
      expect(refused).toMatchObject({ status: 429, code: 'rate_limited', retryAfterMs: hour })
      t.server.clock.advance(hour)
      expect((await send()).status).toBe(200)
      await t.mails()
    })

    it('is sent once for an Idempotency-Key', async () => {
      const { token } = await t.invited()
      const send = () => link(token).call('invitations.contact', { body, idempotencyKey: 'contact-1' })
      const first = await send()
      expect(await send()).toMatchObject({ data: first.data })
      expect(await t.mails()).toHaveLength(1)
    })
  })

  it('leaves an audit chain that verifies', async () => {
    const { orgId } = t.server.orgs[0]
    expect(await verifyAudit(t.server.app, { orgId })).toMatchObject({ ok: true })
  })

  /** Everything that the database holds beside what people wrote to it on purpose. */
  const everyRowAsText = async (): Promise<string> => {
    const { reader } = t.server.app.db
    const tables = ['jobs', 'audit_log', 'audit_payloads', 'events', 'invitations', 'links', 'idempotency_keys']
    const rows = await Promise.all(tables.map((table) => reader.all(`SELECT * FROM ${table}`)))
    return JSON.stringify(rows)
  }
})
