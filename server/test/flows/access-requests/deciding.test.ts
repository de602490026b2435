import { ownerInviteDays, ownerInviteRenewals, ownerInviteResendsPerHour } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { newestToken, pendingRequest } from '../../test-support/access-requests.ts'
import { parseOutbox } from '../../test-support/mail.ts'
import { operatorCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { deskOperator } from '../../test-support/server.ts'
import { describeDesk } from './access-requests.test-support.ts'

const hour = 3_600_000
const inviteMs = ownerInviteDays * 24 * hour

describeDesk('the access desk', (desk) => {
  const find = async (id: string) => (await desk.list({ limit: 100 })).items.find((item) => item.id === id)
  const inspect = async (token: string) =>
    (await desk.server.client().call('ownerInvites.inspect', { body: { token } })).data
  const renew = (token: string) => desk.server.client().call('ownerInvites.renew', { body: { token } })
  /** What was mailed since the last time to this address. */
  const mailsTo = async (email: string) => {
    await desk.server.processAll()
    return (await parseOutbox(desk.server)).filter(({ to }) => to?.some(({ address }) => address === email))
  }
  const tokenIn = (text = '') => /\/access\/#acr_\w+\.(own_\w+)/.exec(text)?.[1] ?? ''

  describe('deciding', () => {
    it('approves what is pending, once, and mails the link to the address that asked', async () => {
      const { id, email } = await pendingRequest(desk.server)
      expect(await desk.decide('approve', id)).toMatchObject({
        id,
        status: 'approved',
        decidedBy: deskOperator,
        orgId: null,
        invitation: { status: 'pending', openedAt: null, acceptedAt: null },
      })
      const [mail] = await mailsTo(email)
      const token = tokenIn(mail?.text)
      expect(mail?.html).toContain(`/access/#${id}.${token}`)
      expect(await inspect(token)).toMatchObject({ email, status: 'pending', hasAccount: false })
      for (const verb of ['approve', 'decline'] as const)
        expect(await refusalOf(desk.decide(verb, id))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/approved already/),
        })
      expect(await mailsTo(email)).toHaveLength(1)
    })

    it('keeps no plain token in the database', async () => {
      const { token } = await desk.approved()
      const { reader } = desk.server.app.db
      for (const table of ['jobs', 'owner_invites', 'access_requests', 'access_request_log'])
        expect(JSON.stringify(await reader.all(`SELECT * FROM ${table}`))).not.toContain(token.slice(4))
    })

    it('declines in the words of the operator, and offers no link', async () => {
      const { id, email } = await pendingRequest(desk.server)
      const message = 'We begin with\nlarger teams <3'
      expect(await desk.decide('decline', id, { message })).toMatchObject({ status: 'declined', invitation: null })
      const [mail] = await mailsTo(email)
      expect(mail?.subject).toBe('About your request for access')
      expect(mail?.text).toContain('> We begin with\n> larger teams <3')
      expect(mail?.html).toContain('We begin with<br>\nlarger teams &lt;3')
      expect(mail?.text).not.toContain('/access/')
      for (const verb of ['approve', 'decline', 'resendInvite'] as const)
        expect(await refusalOf(desk.decide(verb, id))).toMatchObject({ status: 409 })
    })

    it('takes one of two decisions at once', async () => {
      for (let n = 0; n < 5; n++) {
        const { id, email } = await pendingRequest(desk.server)
        const outcomes = await Promise.allSettled(
          Array.from({ length: 10 }, (_, k) => desk.decide(k % 2 ? 'approve' : 'decline', id)),
        )
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        expect(await mailsTo(email)).toHaveLength(1)
      }
    })

    it('lets the same address ask again once it is decided', async () => {
      const first = await pendingRequest(desk.server)
      await desk.decide('decline', first.id)
      const second = await pendingRequest(desk.server, { email: first.email })
      expect(second.id).not.toBe(first.id)
    })

    it.each(['acr_none', "'; --", `acr_${'0'.repeat(26)}`])('finds nothing under %j', async (id) => {
      for (const verb of ['approve', 'decline', 'resendInvite'] as const)
        expect(await refusalOf(desk.decide(verb, id))).toMatchObject({ status: 404 })
    })

    it('leaves a log that nobody changes', async () => {
      const { id, token } = await desk.approved()
      await inspect(token)
      const { db } = desk.server.app
      const log = () =>
        db.reader.all<{ action: string; kind: string }>(
          'SELECT action, actor_kind AS kind FROM access_request_log WHERE request_id = ? ORDER BY entry_id',
          [id],
        )
      expect(await log()).toEqual([
        { action: 'requested', kind: 'anonymous' },
        { action: 'approved', kind: 'desk_operator' },
        { action: 'opened', kind: 'anonymous' },
      ])
      for (const sql of ["UPDATE access_request_log SET action = 'x'", 'DELETE FROM access_request_log'])
        await expect(db.transact((tx) => tx.run(sql))).rejects.toThrow()
    })
  })

  describe('mail', () => {
    it('is in Hindi for who asked in Hindi, and says the same in both its forms', async () => {
      const { id, email } = await pendingRequest(desk.server, { locale: 'hi', name: 'आशा राव' })
      await desk.decide('approve', id)
      await desk.decide('resendInvite', id)
      const mails = await mailsTo(email)
      expect(mails.map(({ subject }) => subject)).toEqual(['आपका संगठन खोलने के लिए नया लिंक'])
      const other = await pendingRequest(desk.server, { locale: 'hi' })
      await desk.decide('decline', other.id)
      const [declined] = await mailsTo(other.email)
      expect(declined?.subject).toBe('आपके प्रवेश-अनुरोध के बारे में')
      for (const mail of [...mails, declined]) {
        expect(mail?.html).toMatch(/<html lang="hi">/)
        const words = (mail?.html ?? '').replaceAll(/<head>.*?<\/head>/gs, '').replaceAll(/<[^>]+>/g, ' ')
        expect(words.replaceAll(/\s+/g, ' ').trim()).toBe((mail?.text ?? '').replaceAll(/\s+/g, ' ').trim())
      }
      expect(mails[0]?.text).toContain('नमस्ते आशा राव,')
    })

    it('goes out with the newest link alone, where a newer one was made before it left', async () => {
      const { id, email } = await pendingRequest(desk.server)
      await desk.decide('approve', id)
      await desk.decide('resendInvite', id)
      const mails = await mailsTo(email)
      expect(mails).toHaveLength(1)
      expect(tokenIn(mails[0]?.text)).toBe(await newestToken(desk.server, id))
    })
  })

  describe('sending again', () => {
    it('ends the link before, and is limited in an hour', async () => {
      const { id, token } = await desk.approved()
      await desk.decide('resendInvite', id)
      expect(await inspect(token)).toMatchObject({ status: 'replaced', hasAccount: false })
      expect(await inspect(await newestToken(desk.server, id))).toMatchObject({ status: 'pending' })
      for (let n = 1; n < ownerInviteResendsPerHour; n++) await desk.decide('resendInvite', id)
      expect(await refusalOf(desk.decide('resendInvite', id))).toMatchObject({ status: 429 })
      desk.server.clock.advance(hour)
      await desk.decide('resendInvite', id)
    })

    it('is of approved requests alone', async () => {
      const { id } = await pendingRequest(desk.server)
      expect(await refusalOf(desk.decide('resendInvite', id))).toMatchObject({ status: 409 })
    })

    it('leaves one link that works, however many ask at once', async () => {
      const { id } = await desk.approved()
      const once = async () =>
        desk.server
          .client()
          .call('accessRequests.resendInvite', { headers: await operatorCookie(desk.server), params: { id } })
      await Promise.allSettled(Array.from({ length: 10 }, once))
      const row = await desk.server.app.db.reader.get<{ made: number; working: number }>(
        `SELECT count(*) AS made, count(CASE WHEN ended_at IS NULL THEN 1 END) AS working FROM owner_invites
         WHERE request_id = ?`,
        [id],
      )
      expect(row).toEqual({ made: 1 + ownerInviteResendsPerHour, working: 1 })
    })
  })

  describe('renewing', () => {
    it('mails one fresh link an hour for one that expired, to the same address, and answers always the same', async () => {
      const { id, email, token } = await desk.approved()
      const answers = [await renew(token)]
      expect(await mailsTo(email)).toHaveLength(1)
      desk.server.clock.advance(inviteMs)
      expect(await inspect(token)).toMatchObject({ status: 'expired' })
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => renew(token)))))
      const mails = await mailsTo(email)
      expect(mails).toHaveLength(2)
      expect((await find(id))?.invitation).toMatchObject({ status: 'pending' })
      const second = await newestToken(desk.server, id)
      expect(await inspect(second)).toMatchObject({ status: 'pending', email })
      desk.server.clock.advance(hour - 1)
      answers.push(await renew(token))
      expect(await newestToken(desk.server, id)).toBe(second)
      desk.server.clock.advance(1)
      answers.push(await renew(token))
      expect(await newestToken(desk.server, id)).not.toBe(second)
      for (const none of [`own_${'0'.repeat(32)}`, 'inv_x', 'x', desk.server.orgs[0].liveKey])
        answers.push(await renew(none))
      expect(new Set(answers.map(({ status, data }) => JSON.stringify([status, data])))).toEqual(
        new Set([JSON.stringify([202, { accepted: true }])]),
      )
    })

    it('comes to an end, as everything that a stranger can ask for', async () => {
      const { id, token } = await desk.approved()
      desk.server.clock.advance(inviteMs)
      for (let n = 0; n < ownerInviteRenewals + 3; n++) {
        await renew(token)
        desk.server.clock.advance(hour)
      }
      const row = await desk.server.app.db.reader.get<{ n: number }>(
        'SELECT count(*) AS n FROM owner_invites WHERE request_id = ?',
        [id],
      )
      expect(row?.n).toBe(1 + ownerInviteRenewals)
    })
  })

  it('tells nothing of a token that is none, or of another kind', async () => {
    for (const token of [`own_${'0'.repeat(32)}`, `inv_${'0'.repeat(32)}`, desk.server.orgs[0].liveKey, 'x'])
      expect(await refusalOf(inspect(token))).toMatchObject({ status: 404, code: 'not_found' })
  })
})
