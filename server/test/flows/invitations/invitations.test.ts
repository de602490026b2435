import { invitationsPerSession } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { hashSecret } from '../../../src/platform/crypto/secrets.ts'
import { describeInvitations, tokenIn } from '../../test-support/invitation-bench.ts'
import { inDays } from '../../test-support/invitations.ts'
import { refusalOf } from '../../test-support/refusal.ts'

const hour = 3_600_000
const day = 24 * hour

describeInvitations('an invitation', (t) => {
  const inspect = (token: string) => t.server.client(token).call('invitations.inspect')
  const end = (id: string) => t.server.client(t.server.orgs[0].liveKey).call('sessions.end', { params: { id } })

  describe('portal.invitations.create', () => {
    it('sends one message with everything that the candidate needs to know', async () => {
      const id = await t.session({ schedule: inDays(t.server, 3), candidateLabel: 'A. R., backend' })
      const invitation = await t.invite(id, { message: 'We look forward to it.\n-- The team' })
      expect(invitation).toMatchObject({
        email: 'candidate@example.org',
        name: 'Asha Rao',
        locale: 'en',
        status: 'live',
        delivery: 'queued',
        invitedBy: { kind: 'user', label: expect.stringMatching(/@example\.org$/) },
        openedAt: null,
        ticketAt: null,
      })
      expect(invitation.expiresAt).toBe(new Date(t.server.clock.now() + 3 * day + 24 * hour).toISOString())
      const mails = await t.mails()
      expect(mails).toHaveLength(1)
      const { to, subject, replyTo, text } = mails[0]!
      expect(to).toBe('candidate@example.org')
      expect(subject).toMatch(/^Invitation to an interview: Org \d+$/)
      expect(replyTo).toBe(invitation.invitedBy.label)
      const { baseUrl } = t.server.app.config
      expect(text.split('\n')).toEqual(
        expect.arrayContaining([
          'Hello Asha Rao,',
          expect.stringMatching(/^Org \d+ invites you to an online interview\.$/),
          'When:      Monday, 7 September 2026, 12:00, Central European Summer Time (Europe/Berlin)',
          'In UTC:    Monday, 7 September 2026, 10:00 UTC',
          'How long:  60 minutes',
          `${baseUrl}/invitation/#${id}.${tokenIn(mails[0])}`,
          expect.stringContaining('It works until Tuesday, 8 September 2026, 10:00 UTC.'),
          expect.stringMatching(/^Org \d+ adds, in their own words:$/),
          '> We look forward to it.',
          '> -- The team',
          `${baseUrl}/requests/#${id}`,
        ]),
      )
      expect((await t.get(id)).invitations[0]).toMatchObject({ delivery: 'sent', sentAt: expect.any(String) })
    })

    it('writes in Hindi where that is asked for, and in English for a language that it does not write', async () => {
      const id = await t.session()
      const hindi = await t.invite(id, { locale: 'hi-IN' })
      expect(hindi.locale).toBe('hi')
      const [first] = await t.letters()
      expect(first?.subject).toMatch(/^साक्षात्कार का निमंत्रण: Org/)
      expect(first?.text).toContain('नमस्ते Asha Rao,')
      expect((await inspect(tokenIn(first))).data.consentDocument.locale).toBe('hi')
      await t.revoke(id, hindi.id)
      expect((await t.invite(id, { locale: 'fr-CH' })).locale).toBe('en')
      expect((await t.letters())[0]?.subject).toMatch(/^Invitation/)
    })

    it('marks messages of the sandbox in their subject', async () => {
      const id = await t.session({}, 'sandbox')
      await t.invite(id)
      const [mail] = await t.mails()
      expect(mail?.subject).toMatch(/^\[Sandbox\] Invitation to an interview: Org/)
      expect((await inspect(tokenIn(mail))).data.session.id).toBe(id)
    })

    it('is refused while one is live, and made once that one has ended', async () => {
      const id = await t.session()
      const { id: first } = await t.invite(id)
      const refused = await refusalOf(t.invite(id, { email: 'other@example.org' }))
      expect(refused).toMatchObject({ status: 409, message: expect.stringMatching(/resend or revoke/) })
      await t.revoke(id, first)
      expect((await t.invite(id, { email: 'other@example.org' })).status).toBe('live')
    })

    it('of 20 at once makes one', async () => {
      const id = await t.session()
      const calls = Array.from({ length: 20 }, () =>
        t.invite(id).then(
          () => 'made',
          () => 'refused',
        ),
      )
      expect((await Promise.all(calls)).filter((outcome) => outcome === 'made')).toHaveLength(1)
      expect((await t.get(id)).invitations).toHaveLength(1)
      expect(await t.mails()).toHaveLength(1)
    })

    it('is refused once the session has ended or was erased, and for an appointment of long ago', async () => {
      const ended = await t.session()
      await end(ended)
      expect(await refusalOf(t.invite(ended))).toMatchObject({ status: 409, message: expect.stringMatching(/ended/) })
      const erased = await t.session()
      await t.server.client(t.server.orgs[0].liveKey).call('sessions.erase', { params: { id: erased } })
      expect(await refusalOf(t.invite(erased))).toMatchObject({ status: 409, message: expect.stringMatching(/ended/) })
      const past = await t.session({ schedule: inDays(t.server, 1) })
      t.server.clock.advance(2 * 86_400_000)
      expect(await refusalOf(t.invite(past))).toMatchObject({ status: 409, message: expect.stringMatching(/day ago/) })
    })

    it(`is refused after ${invitationsPerSession} invitations of one session`, async () => {
      const id = await t.session()
      for (let n = 0; n < invitationsPerSession; n++) await t.revoke(id, (await t.invite(id)).id)
      const refused = await refusalOf(t.invite(id))
      expect(refused).toMatchObject({ status: 409, message: expect.stringContaining(`${invitationsPerSession}`) })
      expect((await t.get(id)).invitations).toHaveLength(invitationsPerSession)
    })
  })

  describe('portal.invitations.resend', () => {
    it('sends a new link and ends the one before', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      expect(await t.resend(sessionId, invitationId)).toMatchObject({ status: 'live', delivery: 'queued' })
      const [mail] = await t.mails()
      expect(mail?.text).toContain('This message holds a new link.')
      expect((await inspect(tokenIn(mail))).status).toBe(200)
      const old = await refusalOf(inspect(token))
      expect(old).toMatchObject({ status: 401, extra: { reason: 'replaced' } })
    })

    it('of 20 at once leaves one message with the one link that works', async () => {
      const { sessionId, invitationId } = await t.invited()
      await Promise.all(Array.from({ length: 20 }, () => t.resend(sessionId, invitationId)))
      const mails = await t.mails()
      expect(mails).toHaveLength(1)
      expect((await inspect(tokenIn(mails[0]))).status).toBe(200)
    })

    it('lets an expired one work again, unless another is live by now', async () => {
      const id = await t.session({})
      const { id: first } = await t.invite(id)
      const [mail] = await t.mails()
      t.server.clock.advance(7 * day - 1)
      expect((await inspect(tokenIn(mail))).status).toBe(200)
      t.server.clock.advance(1)
      const expired = await refusalOf(inspect(tokenIn(mail)))
      expect(expired).toMatchObject({ status: 401, extra: { reason: 'expired' } })
      expect((await t.get(id)).invitations).toMatchObject([{ status: 'expired' }])
      const again = await t.resend(id, first)
      expect(again.status).toBe('live')
      expect(Date.parse(again.expiresAt)).toBe(t.server.clock.now() + 7 * day)
      t.server.clock.advance(7 * day)
      await t.invite(id)
      expect(await refusalOf(t.resend(id, first))).toMatchObject({
        status: 409,
        message: expect.stringMatching(/another live invitation/),
      })
      await t.mails()
    })

    it('is refused for one that was declined or revoked, and once the session has ended', async () => {
      const declined = await t.invited()
      await t.server.client(declined.token).call('invitations.decline')
      await t.letters()
      const revoked = await t.invited()
      await t.revoke(revoked.sessionId, revoked.invitationId)
      const ended = await t.invited()
      await end(ended.sessionId)
      for (const [{ sessionId, invitationId }, word] of [
        [declined, /declined/],
        [revoked, /revoked/],
        [ended, /ended/],
      ] as const) {
        const refused = await refusalOf(t.resend(sessionId, invitationId))
        expect(refused).toMatchObject({ status: 409, message: expect.stringMatching(word) })
      }
      expect(await t.letters()).toEqual([])
    })

    it('of an invitation of another session is not found', async () => {
      const one = await t.invited()
      const other = await t.session()
      expect(await refusalOf(t.resend(other, one.invitationId))).toMatchObject({ status: 404 })
    })
  })

  describe('portal.invitations.revoke', () => {
    it('ends the link at once, writes no letter but to a calendar, and answers the same again', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      const first = await t.revoke(sessionId, invitationId)
      expect(first).toMatchObject({ status: 'revoked', revokedAt: expect.any(String) })
      const refused = await refusalOf(inspect(token))
      expect(refused).toMatchObject({ status: 401, extra: { reason: 'revoked' } })
      t.server.clock.advance(1000)
      expect(await t.revoke(sessionId, invitationId)).toEqual(first)
      expect(await t.letters()).toEqual([])
    })

    it("ends a link to the candidate's requests that the invitation was exchanged for", async () => {
      const { sessionId, invitationId, token } = await t.invited()
      const { data } = await t.server.client(token).call('candidateRequests.links.invitation')
      const requests = t.server.client(data.token)
      expect((await requests.call('candidateRequests.view')).data.session.id).toBe(sessionId)
      await t.revoke(sessionId, invitationId)
      const refused = await refusalOf(requests.call('candidateRequests.view'))
      expect(refused).toMatchObject({ status: 401, extra: { reason: 'revoked' } })
    })

    it('gives no link to a request that was let in before and waited', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      const { app } = t.server
      const exchange = () => t.server.client(token).call('candidateRequests.links.invitation')
      await t.server.client(token).call('invitations.readiness')
      const known = app.credentials.get(hashSecret(token))
      await t.revoke(sessionId, invitationId)
      if (known) app.credentials.set(hashSecret(token), known, app.credentials.stamp())
      const refused = await refusalOf(exchange())
      expect(known).toBeDefined()
      expect(refused).toMatchObject({ status: 401, extra: { reason: 'revoked' } })
    })

    it('leaves one that was declined declined', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      await t.server.client(token).call('invitations.decline')
      expect(await t.revoke(sessionId, invitationId)).toMatchObject({ status: 'declined', revokedAt: null })
      const refused = await refusalOf(inspect(token))
      expect(refused).toMatchObject({ status: 401, extra: { reason: 'declined' } })
      await t.mails()
    })

    it('keeps a message from being sent that has not gone out', async () => {
      const id = await t.session()
      const { id: invitationId } = await t.invite(id)
      await t.revoke(id, invitationId)
      expect(await t.mails()).toEqual([])
    })
  })

  it('is sent by the process that comes after one that was gone before the message went out', async () => {
    const id = await t.session()
    await t.invite(id)
    await t.server.restart()
    const mails = await t.mails()
    expect(mails).toHaveLength(1)
    expect((await inspect(tokenIn(mails[0]))).data.session.id).toBe(id)
  })
})
