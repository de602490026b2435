import { describe, expect, it } from 'vitest'
import { describeInvitations, tokenIn } from '../../test-support/invitation-bench.ts'
import { inDays } from '../../test-support/invitations.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { register } from '../../test-support/world.ts'

const hour = 3_600_000

describeInvitations('an appointment', (t) => {
  const inspect = (token: string) => t.server.client(token).call('invitations.inspect')
  const publicView = async (id: string) =>
    (await t.server.client(t.server.orgs[0].liveKey).call('sessions.get', { params: { id } })).data
  const liveSession = async () => {
    const { data } = await t.server
      .client(t.server.orgs[0].liveKey)
      .call('sessions.create', { body: { schedule: inDays(t.server, 3) } })
    await register(t.server, { id: data.id, agent: data.agentJoinToken })
    return data.id
  }
  const end = (id: string) => t.server.client(t.server.orgs[0].liveKey).call('sessions.end', { params: { id } })

  describe('portal.scheduling.set', () => {
    it('sets the appointment that the public interface shows, in UTC', async () => {
      const id = await t.session({})
      expect(await t.get(id)).toEqual({ sessionId: id, appointment: null, cancelledAt: null, invitations: [] })
      const schedule = { startsAt: '2026-12-24T09:00:00+05:30', durationMinutes: 45, timeZone: 'Asia/Kolkata' }
      const appointment = { ...schedule, startsAt: '2026-12-24T03:30:00.000Z' }
      expect((await t.set(id, schedule)).appointment).toEqual(appointment)
      expect((await publicView(id)).schedule).toEqual(appointment)
    })

    it('takes what began five minutes ago and refuses what lies further back', async () => {
      const id = await t.session()
      const at = (ms: number) => ({
        ...inDays(t.server, 0),
        startsAt: new Date(t.server.clock.now() + ms).toISOString(),
      })
      await t.set(id, at(-5 * 60_000))
      const refused = await refusalOf(t.set(id, at(-5 * 60_000 - 1)))
      expect(refused).toMatchObject({ status: 400, details: [{ path: 'startsAt', message: 'lies in the past' }] })
    })

    it('is refused once the session is live, has ended or was erased', async () => {
      const live = await liveSession()
      expect(await refusalOf(t.set(live, inDays(t.server, 4)))).toMatchObject({
        status: 409,
        message: expect.stringMatching(/live/),
      })
      await end(live)
      expect(await refusalOf(t.set(live, inDays(t.server, 4)))).toMatchObject({
        status: 409,
        message: expect.stringMatching(/ended/),
      })
      const erased = await t.session()
      await t.server.client(t.server.orgs[0].liveKey).call('sessions.erase', { params: { id: erased } })
      expect(await refusalOf(t.set(erased, inDays(t.server, 4)))).toMatchObject({
        status: 409,
        message: expect.stringMatching(/erased/),
      })
    })

    it('moves a live invitation: a new link in a message that says so, the old one ended, both dates moved', async () => {
      const { sessionId, token } = await t.invited()
      const schedule = inDays(t.server, 10)
      const moved = await t.set(sessionId, schedule)
      expect(moved.invitations).toMatchObject([{ status: 'live', delivery: 'queued', sentAt: null }])
      const [mail, ...more] = await t.mails()
      expect(more).toEqual([])
      expect(mail?.subject).toMatch(/^A new time for your interview: Org \d+$/)
      expect(mail?.text).toContain('has changed. This is the new one:')
      expect(mail?.text).toContain('Links in earlier messages no longer work.')
      const old = await refusalOf(inspect(token))
      expect(old).toMatchObject({ status: 401, extra: { reason: 'replaced' } })
      const { data: page } = await inspect(tokenIn(mail))
      expect(page.appointment).toEqual(schedule)
      expect(Date.parse(page.invitation.expiresAt)).toBe(Date.parse(schedule.startsAt) + 24 * hour)
      expect((await t.get(sessionId)).invitations).toMatchObject([{ delivery: 'sent' }])
    })

    it('tells who was invited without a time that there is one', async () => {
      const id = await t.session({})
      const { expiresAt } = await t.invite(id)
      expect(Date.parse(expiresAt)).toBe(t.server.clock.now() + 7 * 24 * hour)
      expect((await t.mails())[0]?.text).toContain('There is no time yet.')
      await t.set(id, inDays(t.server, 2))
      const [mail] = await t.mails()
      expect(mail?.subject).toMatch(/^A time for your interview/)
      expect(mail?.text).toContain('has set a time for your online interview.')
    })

    it('changes and sends nothing when it is set to what it is, however the instant is written', async () => {
      const { sessionId, token } = await t.invited()
      const before = await t.get(sessionId)
      const { startsAt, ...rest } = before.appointment ?? inDays(t.server, 3)
      const offset = new Date(Date.parse(startsAt) + 2 * hour).toISOString().replace('Z', '+02:00')
      expect(await t.set(sessionId, { startsAt: offset, ...rest })).toEqual(before)
      expect(await t.mails()).toEqual([])
      expect((await inspect(token)).status).toBe(200)
    })

    it('invites whom no message has reached yet, instead of telling them of a change', async () => {
      const id = await t.session()
      await t.invite(id)
      await t.set(id, inDays(t.server, 5))
      await t.set(id, inDays(t.server, 6))
      const mails = await t.mails()
      expect(mails.map(({ subject }) => subject.replace(/\d+/, ''))).toEqual(['Invitation to an interview: Org '])
      expect((await inspect(tokenIn(mails[0]))).data.appointment).toEqual(inDays(t.server, 6))
    })

    it('still says that the time has changed when the message of the change is sent once more before it went out', async () => {
      const { sessionId, invitationId } = await t.invited()
      await t.set(sessionId, inDays(t.server, 5))
      await t.resend(sessionId, invitationId)
      const mails = await t.mails()
      expect(mails).toHaveLength(1)
      expect(mails[0]?.subject).toContain('A new time')
    })

    it('leaves an invitation that is not live alone', async () => {
      const { sessionId, invitationId } = await t.invited()
      await t.revoke(sessionId, invitationId)
      await t.set(sessionId, inDays(t.server, 5))
      expect(await t.letters()).toEqual([])
      expect((await t.get(sessionId)).invitations).toMatchObject([{ status: 'revoked' }])
    })

    it('serves a time near the end of the calendar', async () => {
      const id = await t.session({})
      await t.set(id, { startsAt: '9999-12-31T23:59:59.999Z', durationMinutes: 1440, timeZone: 'UTC' })
      expect((await t.invite(id)).expiresAt).toBe('9999-12-31T23:59:59.999Z')
      expect(await t.mails()).toHaveLength(1)
    })

    it('of 20 at once leaves one appointment and one link that works', async () => {
      const { sessionId } = await t.invited()
      const wanted = Array.from({ length: 20 }, (_, n) => inDays(t.server, 20 + n))
      await Promise.all(wanted.map((schedule) => t.set(sessionId, schedule)))
      const mails = await t.mails()
      expect(mails).toHaveLength(1)
      const { data } = await inspect(tokenIn(mails[0]))
      expect(data.appointment).toEqual((await t.get(sessionId)).appointment)
    })
  })

  describe('portal.scheduling.cancel', () => {
    it('takes the appointment back everywhere and tells the invited candidate once', async () => {
      const { sessionId, token } = await t.invited()
      const now = new Date(t.server.clock.now()).toISOString()
      const first = await t.cancel(sessionId)
      expect(first).toMatchObject({ appointment: null, cancelledAt: now })
      expect((await publicView(sessionId)).schedule).toBeNull()
      const mails = await t.mails()
      expect(mails).toHaveLength(1)
      expect(mails[0]?.subject).toMatch(/^Your interview was cancelled: Org/)
      expect(mails[0]?.text).toContain('The link in our earlier message still opens your page')
      expect(tokenIn(mails[0])).toBe('')
      t.server.clock.advance(1000)
      const again = await t.cancel(sessionId)
      expect(again).toMatchObject({ appointment: null, cancelledAt: now })
      expect(await t.mails()).toEqual([])
      const { data: page } = await inspect(token)
      expect(page).toMatchObject({ appointment: null, cancelledAt: now })
    })

    it('lets nobody take a join code, invite or resend until there is a new time', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      await t.cancel(sessionId)
      const ticket = () => t.server.client(token).call('invitations.ticket')
      for (const call of [ticket, () => t.invite(sessionId), () => t.resend(sessionId, invitationId)])
        expect(await refusalOf(call())).toMatchObject({ status: 409, message: expect.stringMatching(/cancelled/) })
      await t.mails()
      const set = await t.set(sessionId, inDays(t.server, 9))
      expect(set).toMatchObject({ cancelledAt: null, invitations: [{ status: 'live' }] })
      const [mail] = await t.mails()
      expect(mail?.subject).toMatch(/^A time for your interview/)
      expect((await t.server.client(tokenIn(mail)).call('invitations.ticket')).status).toBe(201)
    })

    it('sends a working link with the news where the message with the link has not gone out', async () => {
      const id = await t.session()
      await t.invite(id)
      await t.cancel(id)
      const mails = await t.mails()
      expect(mails).toHaveLength(1)
      expect(mails[0]?.subject).toContain('was cancelled')
      expect((await inspect(tokenIn(mails[0]))).data.cancelledAt).not.toBeNull()
    })

    it('is not told any more when a new time was set before the message went out', async () => {
      const { sessionId } = await t.invited()
      await t.cancel(sessionId)
      await t.set(sessionId, inDays(t.server, 8))
      const mails = await t.mails()
      expect(mails.map(({ subject }) => subject.replace(/:.*/, ''))).toEqual(['A time for your interview'])
    })

    it('is refused where there is no appointment, and once the session is live', async () => {
      expect(await refusalOf(t.cancel(await t.session({})))).toMatchObject({
        status: 409,
        message: expect.stringMatching(/no appointment/),
      })
      expect(await refusalOf(t.cancel(await liveSession()))).toMatchObject({
        status: 409,
        message: expect.stringMatching(/live/),
      })
    })

    it('answers the same again after the session has ended', async () => {
      const id = await t.session()
      const first = await t.cancel(id)
      await end(id)
      expect(await t.cancel(id)).toEqual(first)
    })

    it('of 20 at once tells once', async () => {
      const { sessionId } = await t.invited()
      await Promise.all(Array.from({ length: 20 }, () => t.cancel(sessionId)))
      expect(await t.mails()).toHaveLength(1)
    })
  })

  describe('portal.scheduling.get', () => {
    it('lists invitations with the newest first, and no link in any of them', async () => {
      const id = await t.session()
      const made: string[] = []
      for (let n = 0; n < 3; n++) {
        const invitation = await t.invite(id, { email: `candidate${n}@example.org` })
        made.unshift(invitation.id)
        if (n < 2) await t.revoke(id, invitation.id)
      }
      const { invitations } = await t.get(id)
      expect(invitations.map((invitation) => invitation.id)).toEqual(made)
      expect(invitations.map(({ status }) => status)).toEqual(['live', 'revoked', 'revoked'])
      expect(JSON.stringify(invitations)).not.toContain('ivt_')
    })
  })
})
