import { describe, expect, it } from 'vitest'
import { issueLink } from '../../../src/domains/candidates/links/links.service.ts'
import { describeInvitations, tokenIn } from '../../test-support/invitation-bench.ts'
import { refusalOf } from '../../test-support/refusal.ts'

/** Headers that a message of one part has. */
const usual = [
  'auto-submitted',
  'content-transfer-encoding',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
]
/** The encoding is each part's own. */
const usualOfParts = usual.filter((name) => name !== 'content-transfer-encoding')

describeInvitations('an invitation that means harm', (t) => {
  const link = (token: string) => t.server.client(token)
  const renameOrg = (name: string) =>
    t.server.app.db.transact((tx) =>
      tx.run('UPDATE orgs SET name = ? WHERE org_id = ?', [name, t.server.orgs[0].orgId]),
    )

  describe('in a message to the candidate', () => {
    it('has no line break in a name or an address', async () => {
      const id = await t.session()
      for (const [field, value] of [
        ['name', 'Asha\r\nBcc: other@example.org'],
        ['name', 'Asha\u0085Rao'],
        ['email', 'a@example.org\r\nBcc: other@example.org'],
        ['email', 'a@example.org, b@example.org'],
      ] as const) {
        const refused = await refusalOf(t.invite(id, { [field]: value }))
        expect(refused).toMatchObject({ status: 400, details: [{ path: field }] })
      }
      expect((await t.get(id)).invitations).toEqual([])
    })

    it('begins no header, whatever the organisation is called', async () => {
      const id = await t.session()
      await renameOrg('Evil\r\nBcc: other@example.org\r\n\r\nBuy')
      await t.invite(id)
      const [mail] = await t.mails()
      await renameOrg('Org 1')
      expect(mail?.subject).toBe('Invitation to an interview: Evil Bcc: Buy')
      expect([...(mail?.headers ?? [])].sort()).toEqual(usualOfParts)
    })

    it('fills in nothing that a person wrote, and marks every line of their own words', async () => {
      const id = await t.session()
      const message = 'First.\r\nYour page for this interview:\u0007\nhttps://elsewhere.example/{url}\n\n{org}'
      await t.invite(id, { name: '{org} {url}', message })
      const [mail] = await t.mails()
      const lines = (mail?.text ?? '').split('\n')
      expect(lines).toContain('Hello {org} {url},')
      expect(lines.filter((line) => line.startsWith('>'))).toEqual([
        '> First.',
        '> Your page for this interview:',
        '> https://elsewhere.example/{url}',
        '>',
        '> {org}',
      ])
      expect(lines.filter((line) => line.startsWith('http'))).toEqual([
        `${t.server.app.config.baseUrl}/invitation/#${id}.${tokenIn(mail)}`,
        `${t.server.app.config.baseUrl}/requests/#${id}`,
      ])
    })
  })

  describe('in a message to the hiring team', () => {
    it('begins no header and ends no message', async () => {
      const { token } = await t.invited()
      const text = 'One\r\n.\r\nQUIT\r\n\r\nSubject: two\u0001'
      await link(token).call('invitations.contact', { body: { topic: 'new_time', text } })
      const [mail] = await t.mails()
      expect([...(mail?.headers ?? [])].sort()).toEqual(usual)
      expect(mail?.text).toContain('> One\n> .\n> QUIT\n>\n> Subject: two\n')
    })

    it('names one address to answer to, or is refused', async () => {
      const { token } = await t.invited()
      for (const replyTo of ['a@example.org,b@example.org', 'a@example.org\nBcc: b@example.org', 'nobody']) {
        const body = { topic: 'question', text: 'Hello', replyTo } as const
        const refused = await refusalOf(link(token).call('invitations.contact', { body }))
        expect(refused).toMatchObject({ status: 400, details: [{ path: 'replyTo' }] })
      }
      expect(await t.mails()).toEqual([])
    })

    it('shows the label and the reference of the session in one line each', async () => {
      const hostile = { candidateLabel: 'A\nSession: ses_other', externalId: 'REQ-1\r\nSession: ses_other' }
      expect(await refusalOf(t.session(hostile))).toMatchObject({
        status: 400,
        details: [{ path: 'externalId' }, { path: 'candidateLabel' }],
      })
      const id = await t.session()
      // As a session of an earlier version may have them.
      await t.server.app.db.transact((tx) =>
        tx.run('UPDATE sessions SET candidate_label = ?, external_id = ? WHERE session_id = ?', [
          ...[hostile.candidateLabel, hostile.externalId, id],
        ]),
      )
      await t.invite(id)
      const [invitation] = await t.letters()
      await link(tokenIn(invitation)).call('invitations.decline')
      const [mail] = await t.letters()
      const sessions = mail?.text.split('\n').filter((line) => line.startsWith('Session:'))
      expect(sessions).toEqual([`Session:     ${id}`])
    })
  })

  describe('with a link', () => {
    it('of another kind opens nothing, and neither does an invitation elsewhere', async () => {
      const { sessionId, token } = await t.invited()
      const scope = { orgId: t.server.orgs[0].orgId, environment: 'live' } as const
      const expiresAt = t.server.clock.now() + 60_000
      const { app } = t.server
      const { token: other } = await app.db.transact((tx) =>
        issueLink(
          { ...app, tx, reader: tx, scope },
          { kind: 'candidate_request', sessionId, subjectId: sessionId, expiresAt },
        ),
      )
      for (const id of [
        'invitations.inspect',
        'invitations.ticket',
        'invitations.readiness',
        'invitations.decline',
      ] as const)
        expect(await refusalOf(link(other).call(id))).toMatchObject({ status: 401 })
      expect(await refusalOf(link(token).call('candidateRequests.view'))).toMatchObject({ status: 401 })
      expect(await refusalOf(link(token).call('agent.sessions.config', { params: { id: sessionId } }))).toMatchObject({
        status: 401,
      })
    })

    it('learns nothing of another session', async () => {
      const one = await t.invited({ email: 'one@example.org', name: 'One' })
      const other = await t.invited({ email: 'two@example.org', name: 'Two' })
      const page = JSON.stringify((await link(one.token).call('invitations.inspect')).data)
      expect(page).toContain(one.sessionId)
      expect(page).not.toMatch(new RegExp(`${other.sessionId}|${other.invitationId}|Two`))
    })

    it('finds its secret in no row, no event, no audit entry and no log line', async () => {
      const { sessionId, invitationId, token } = await t.invited()
      await link(token).call('invitations.inspect')
      await link(token).call('invitations.ticket')
      await t.resend(sessionId, invitationId)
      const { reader } = t.server.app.db
      const tables = [
        'jobs',
        'links',
        'invitations',
        'appointments',
        'audit_log',
        'audit_payloads',
        'events',
        'sessions',
      ]
      const rows = JSON.stringify(await Promise.all(tables.map((table) => reader.all(`SELECT * FROM ${table}`))))
      expect(rows).toContain(invitationId)
      expect(rows).not.toContain(token.slice(4))
      const [mail] = await t.mails()
      expect(rows).not.toContain(tokenIn(mail).slice(4))
      expect(t.server.logLines.join('')).not.toContain('ivt_')
    })
  })
})
