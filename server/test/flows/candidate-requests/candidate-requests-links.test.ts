import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobDefinitions } from '../../../src/app/jobs.ts'
import { updateInvitation } from '../../../src/domains/candidates/invitations/invitations.store.ts'
import { endLinks } from '../../../src/domains/candidates/links/links.service.ts'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { system } from '../../../src/kernel/identity/actor.ts'
import { invitationLink, invited, requestLink } from '../../test-support/candidate-requests.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { specOf } from '../../test-support/examples.ts'
import { type ReadMail, readOutbox } from '../../test-support/mail.ts'
import { type RawAnswer, send } from '../../test-support/send.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  asMember,
  day,
  hour,
  type Interview,
  invitedAddress,
  mailsOf,
  newInterview,
  refused,
  submit,
  trail,
  verb,
} from './candidate-requests.test-support.ts'

/** The link of a message, as the page that it opens takes it apart. */
const linkOf = (mail: ReadMail | undefined) => {
  const [, sessionId = '', token = ''] = /\/requests\/#(ses_[0-9a-z]+)\.(crq_\S+)/.exec(mail?.text ?? '') ?? []
  return { sessionId, token }
}

/** What is the same for everybody; the counters of the ceiling go down with every call. */
const shownBy = ({ status, text, headers }: RawAnswer) => {
  const own = ['x-request-id', 'date', 'ratelimit', 'ratelimit-remaining']
  return { status, text, headers: [...headers].filter(([name]) => !own.includes(name)) }
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`links to candidate requests (${engine})`, () => {
    let server: TestServer

    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(async () => {
      expect((await verifyAudit(server.app, { orgId: server.orgs[0].orgId })).ok).toBe(true)
      await server.stop()
    })

    const ask = (sessionId: string, email: string, headers: Record<string, string> = {}) =>
      send(server.url, specOf('candidateRequests.links.mail'), {
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({ sessionId, email }),
      })
    const view = (token: string) => server.client(token).call('candidateRequests.view')
    const guest = async (locale = 'en', environment: 'live' | 'sandbox' = 'live'): Promise<Interview> => {
      const interview = await newInterview(server, environment)
      await invited(server, interview.scope, interview.sessionId, invitedAddress, locale)
      return interview
    }

    describe('candidateRequests.links.mail', () => {
      it('mails a link to the invited address, however its letters are written', async () => {
        const interview = await guest()
        const mails = await mailsOf(server, () => ask(interview.sessionId, 'ASHA.Candidate@EXAMPLE.org'))
        expect(mails).toHaveLength(1)
        const [mail] = mails
        expect(mail?.to).toBe(invitedAddress)
        expect(mail?.subject).toBe('Your interview data: the link to your page')
        expect(mail?.text).toContain('Somebody asked for the link')
        const { sessionId, token } = linkOf(mail)
        expect(sessionId).toBe(interview.sessionId)
        const { data } = await view(token)
        expect(data.session.id).toBe(interview.sessionId)
        expect(Date.parse(data.expiresAt)).toBe(server.clock.now() + 7 * day)
        await server.client(token).call('candidateRequests.submit', { body: { kind: 'access' } })
        const [{ id } = { id: '' }] = (await view(token)).data.requests
        expect((await verb(server, 'get', id)).origin).toBe('invited_address')
        expect(await trail(server, interview)).toEqual([
          'candidate_request.link_asked anonymous',
          'candidate_request.link_sent system',
          'candidate_request.submitted link',
        ])
      })

      it('answers and writes the same for an address that was not invited, and sends nothing', async () => {
        const known = await guest()
        const revoked = await newInterview(server, 'live')
        const invitation = await invited(server, revoked.scope, revoked.sessionId, invitedAddress)
        const now = server.clock.now()
        await server.app.db.transact((tx) => updateInvitation(tx, revoked.scope, invitation, { revokedAt: now }))
        const nobody = await newInterview(server, 'live')
        const rowsOf = async (sessionId: string) =>
          (
            await server.app.db.reader.all<{ kind: string }>(
              `SELECT kind FROM jobs WHERE payload LIKE ? UNION ALL
               SELECT action AS kind FROM audit_log WHERE session_id = ? AND action LIKE 'candidate_request%'`,
              [`%${sessionId}%`, sessionId],
            )
          ).map(({ kind }) => kind)
        let first: RawAnswer | undefined
        const answers: RawAnswer[] = []
        const mails = await mailsOf(server, async () => {
          first = await ask(known.sessionId, invitedAddress)
          const rows = await rowsOf(known.sessionId)
          expect(rows).toHaveLength(2)
          const others = [
            [known.sessionId, 'somebody@example.com'],
            [revoked.sessionId, invitedAddress],
            [nobody.sessionId, invitedAddress],
          ] as const
          for (const [sessionId, email] of others) {
            const before = await rowsOf(sessionId)
            answers.push(await ask(sessionId, email))
            expect((await rowsOf(sessionId)).toSorted()).toEqual([...before, ...rows].toSorted())
          }
          for (const sessionId of ['ses_00000000000000000000000000', '%', "' OR 1=1", '🦛'])
            answers.push(await ask(sessionId, invitedAddress))
        })
        expect(first?.status).toBe(202)
        expect(JSON.parse(first?.text ?? '')).toEqual({ success: true, data: { accepted: true } })
        for (const answer of answers) expect(shownBy(answer)).toEqual(shownBy(first as RawAnswer))
        expect(mails.map(({ to }) => to)).toEqual([invitedAddress])
      })

      it('also reaches who declined, and whose invitation has run out', async () => {
        const interview = await guest()
        const [row] = await server.app.db.reader.all<{ id: string }>(
          'SELECT invitation_id AS id FROM invitations WHERE session_id = ?',
          [interview.sessionId],
        )
        const declinedAt = server.clock.now()
        await server.app.db.transact((tx) => updateInvitation(tx, interview.scope, row?.id ?? '', { declinedAt }))
        server.clock.advance(60 * day)
        expect(await mailsOf(server, () => ask(interview.sessionId, invitedAddress))).toHaveLength(1)
      })

      it('sends three in an hour and answers the same to more', async () => {
        const { sessionId } = await guest()
        const sent = async () => (await mailsOf(server, () => ask(sessionId, invitedAddress))).length
        const first = await ask(sessionId, invitedAddress)
        await server.processAll()
        expect([await sent(), await sent(), await sent(), await sent()]).toEqual([1, 1, 0, 0])
        expect(shownBy(await ask(sessionId, invitedAddress))).toEqual(shownBy(first))
        await server.processAll()
        server.clock.advance(hour - 1)
        expect(await sent()).toBe(0)
        server.clock.advance(1)
        expect(await sent()).toBe(1)
      })

      it('cannot be used up by who does not know the address', async () => {
        const { sessionId } = await guest()
        for (let n = 0; n < 20; n++) expect((await ask(sessionId, `guess${n}@example.com`)).status).toBe(202)
        server.clock.advance(60_000)
        expect(await mailsOf(server, () => ask(sessionId, invitedAddress))).toHaveLength(1)
      })

      it('leaves no more than ten traces a minute of who keeps asking', async () => {
        const interview = await guest()
        for (let n = 0; n < 15; n++) await ask(interview.sessionId, 'somebody@example.com')
        expect(await trail(server, interview)).toHaveLength(10)
      })

      it('sends only the newest of several links that wait, as the others have ended', async () => {
        const { sessionId } = await guest()
        const mails = await mailsOf(server, async () => {
          const answers = await Promise.all(Array.from({ length: 3 }, () => ask(sessionId, invitedAddress)))
          expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
        })
        expect(mails.length).toBeGreaterThanOrEqual(1)
        const working = await Promise.allSettled(mails.map((mail) => view(linkOf(mail).token)))
        expect(working.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      })

      it('ends the link that was mailed before, and says why', async () => {
        const { sessionId } = await guest()
        const [first] = await mailsOf(server, () => ask(sessionId, invitedAddress))
        const [second] = await mailsOf(server, () => ask(sessionId, invitedAddress))
        expect(await refused(view(linkOf(first).token))).toMatchObject({ status: 401, reason: 'replaced' })
        expect((await view(linkOf(second).token)).status).toBe(200)
      })

      it('repeats its answer under one Idempotency-Key and sends one message', async () => {
        const { sessionId } = await guest()
        const key = { 'idempotency-key': `ask-${sessionId}` }
        const mails = await mailsOf(server, async () => {
          await ask(sessionId, invitedAddress, key)
          const again = await ask(sessionId, invitedAddress, key)
          expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true'])
        })
        expect(mails).toHaveLength(1)
      })

      it('writes in the language of the invitation, with the sandbox named first', async () => {
        const { sessionId } = await guest('hi-IN', 'sandbox')
        const [mail] = await mailsOf(server, () => ask(sessionId, invitedAddress))
        expect(mail?.subject).toBe('[Sandbox] आपके साक्षात्कार का डेटा: आपके पेज का लिंक')
        expect(mail?.text).toContain('नमस्ते')
        expect((await view(linkOf(mail).token)).status).toBe(200)
        const other = await guest('fr')
        const [english] = await mailsOf(server, () => ask(other.sessionId, invitedAddress))
        expect(english?.text).toContain('Hello,')
      })

      it('is held to the ceiling of its address', async () => {
        const tight = await startServer({ engine, limits: { perAddress: 3 } })
        try {
          const request = {
            headers: { 'content-type': 'application/json' },
            payload: JSON.stringify({ sessionId: 'ses_none', email: invitedAddress }),
          }
          const statuses: number[] = []
          for (let n = 0; n < 5; n++)
            statuses.push((await send(tight.url, specOf('candidateRequests.links.mail'), request)).status)
          expect(statuses).toEqual([202, 202, 202, 429, 429])
        } finally {
          await tight.stop()
        }
      })
    })

    describe('candidateRequests.links.invitation', () => {
      const exchange = (token: string) => server.client(token).call('candidateRequests.links.invitation')

      it('gives whoever holds a live invitation a link to the requests of its session, for seven days', async () => {
        const interview = await newInterview(server)
        const { status, data } = await exchange(await invitationLink(server, interview.scope, interview.sessionId))
        expect(status).toBe(201)
        expect(data.url).toBe(`${server.app.config.baseUrl}/requests/#${interview.sessionId}.${data.token}`)
        expect(Date.parse(data.expiresAt)).toBe(server.clock.now() + 7 * day)
        const { data: sent } = await server
          .client(data.token)
          .call('candidateRequests.submit', { body: { kind: 'erasure' } })
        expect((await verb(server, 'get', sent.id)).origin).toBe('invitation')
        expect(await trail(server, interview)).toEqual([
          'candidate_request.link_sent link',
          'candidate_request.submitted link',
        ])
      })

      it('is refused with the reason once the invitation has ended, and for every other link', async () => {
        const { scope, sessionId } = await newInterview(server)
        const { app } = server
        for (const reason of ['revoked', 'declined'] as const) {
          const token = await invitationLink(server, scope, sessionId)
          const [row] = await app.db.reader.all<{ subjectId: string }>(
            'SELECT subject_id AS "subjectId" FROM links WHERE session_id = ? AND kind = \'invitation\' AND ended_at IS NULL',
            [sessionId],
          )
          const of = { kind: 'invitation', subjectId: row?.subjectId ?? '' } as const
          await app.db.transact((tx) => endLinks({ ...app, tx, reader: tx, scope }, { of, reason }))
          expect(await refused(exchange(token))).toMatchObject({ status: 401, reason })
        }
        expect((await refused(exchange(await requestLink(server, scope, sessionId)))).status).toBe(401)
        expect((await refused(view(await invitationLink(server, scope, sessionId)))).status).toBe(401)
      })
    })

    describe('candidateRequests.links.agent', () => {
      const exchange = (token: string) => server.client(token).call('candidateRequests.links.agent')

      it('gives the desktop application a link of its session, also after the session has ended', async () => {
        const { sessionId, agent, key } = await newInterview(server)
        const { data } = await exchange(agent)
        expect((await view(data.token)).data.session.id).toBe(sessionId)
        await server.client(key).call('sessions.end', { params: { id: sessionId } })
        const after = await exchange(agent)
        const { data: sent } = await server
          .client(after.data.token)
          .call('candidateRequests.submit', { body: { kind: 'access', replyTo: 'own@example.org' } })
        expect(await verb(server, 'get', sent.id)).toMatchObject({
          origin: 'desktop_agent',
          replyTo: 'own@example.org',
        })
        server.clock.advance(day)
        expect(await refused(exchange(agent))).toMatchObject({ status: 401, reason: 'session_ended' })
      })
    })

    describe('a link that comes with an answer', () => {
      it('goes to the invited address, ends the one before and tells nothing of what was written', async () => {
        const interview = await guest()
        const words = 'Only-on-the-page'
        const { id, token } = await submit(server, interview, 'context_statement', { text: words })
        const [mail, ...others] = await mailsOf(server, async () => {
          await server.processAll()
          await verb(server, 'respond', id, { text: `We have read it. ${words}` })
        })
        expect(others).toEqual([])
        expect(mail?.to).toBe(invitedAddress)
        expect(mail?.text).toContain('has written to you')
        for (const hidden of [words, 'Asha', 'Verma', 'REQ-2041']) expect(mail?.text).not.toContain(hidden)
        expect(await refused(view(token))).toMatchObject({ status: 401, reason: 'replaced' })
        const { data } = await view(linkOf(mail).token)
        expect(data.requests[0]?.messages).toHaveLength(2)
        for (const [kind, end] of [
          ['context_statement', 'complete'],
          ['access', 'approve'],
          ['erasure', 'decline'],
        ] as const) {
          const request = kind === 'context_statement' ? { id } : await submit(server, interview, kind)
          const outcome = await mailsOf(server, async () => {
            await server.processAll()
            await verb(server, end, request.id, { text: words })
          })
          const told = outcome.find(({ to }) => to === invitedAddress)
          expect(told?.text, kind).toContain('has answered your request')
          expect(told?.text).not.toContain(words)
          expect((await view(linkOf(told).token)).status).toBe(200)
        }
      })

      it('goes to the address that the candidate named where nobody was invited, and says no more for them', async () => {
        const interview = await newInterview(server, 'live')
        const { data } = await server.client(interview.agent).call('candidateRequests.links.agent')
        const { data: sent } = await server
          .client(data.token)
          .call('candidateRequests.submit', { body: { kind: 'access', replyTo: 'own@example.org' } })
        await server.processAll()
        const [mail] = await mailsOf(server, () => verb(server, 'respond', sent.id, { text: 'Hello.' }))
        expect(mail?.to).toBe('own@example.org')
        const { token } = linkOf(mail)
        const { data: next } = await server
          .client(token)
          .call('candidateRequests.submit', { body: { kind: 'erasure' } })
        expect((await verb(server, 'get', next.id)).origin).toBe('desktop_agent')
      })

      it('is not sent once a newer one was made, nor when the invitation was revoked meanwhile', async () => {
        const interview = await guest()
        const { id } = await submit(server, interview, 'access')
        await server.processAll()
        const none = await mailsOf(server, async () => {
          await verb(server, 'respond', id, { text: 'Hello.' })
          await requestLink(server, interview.scope, interview.sessionId)
        })
        expect(none).toEqual([])
        const gone = await mailsOf(server, async () => {
          await verb(server, 'respond', id, { text: 'Hello again.' })
          const sql = 'UPDATE invitations SET revoked_at = 1 WHERE session_id = ?'
          await server.app.db.transact((tx) => tx.run(sql, [interview.sessionId]))
        })
        expect(gone).toEqual([])
      })

      it('is the same message when its job runs twice', async () => {
        const interview = await guest()
        const { id } = await submit(server, interview, 'access')
        await verb(server, 'respond', id, { text: 'Hello.' })
        await server.processAll()
        const before = await readOutbox(server)
        const { app } = server
        const [row] = await app.db.reader.all<{ id: string; payload: string }>(
          "SELECT id, payload FROM jobs WHERE kind = 'candidate_requests.send_link' AND payload LIKE ?",
          [`%${interview.sessionId}%`],
        )
        const job = jobDefinitions.find(({ kind }) => kind === 'candidate_requests.send_link')
        const call = { ...app, scope: interview.scope, actor: system }
        const again = { id: row?.id ?? '', attempt: 2, signal: AbortSignal.abort() }
        await job?.run(call, JSON.parse(row?.payload ?? ''), again)
        expect(await readOutbox(server)).toEqual(before)
      })
    })

    it('leads from the message of an invitation to an answer that is mailed to the same person', async () => {
      const interview = await newInterview(server)
      const params = { orgId: interview.scope.orgId, id: interview.sessionId }
      const body = { email: invitedAddress, name: 'Asha', locale: 'hi' }
      const [message] = await mailsOf(server, () => asMember(server, 'portal.invitations.create', { params, body }))
      const token = /\.(ivt_\w+)/.exec(message?.text ?? '')?.[1]
      const { data } = await server.client(token).call('candidateRequests.links.invitation')
      const { data: sent } = await server
        .client(data.token)
        .call('candidateRequests.submit', { body: { kind: 'access' } })
      await server.processAll()
      const [told] = await mailsOf(server, () => verb(server, 'approve', sent.id))
      expect(told?.to).toBe(invitedAddress)
      expect(told?.text).toContain('नमस्ते')
      const answer = await server
        .client(linkOf(told).token)
        .call('candidateRequests.export', { body: { requestId: sent.id } })
      expect(answer.status).toBe(200)
    })

    it("puts the organisation's name into the text as one line, and into no header", async () => {
      const name = 'Acme\r\nBcc: everybody@example.com\u2028 & $& Sons'
      const { orgId } = server.orgs[0]
      await server.app.db.transact((tx) => tx.run('UPDATE orgs SET name = ? WHERE org_id = ?', [name, orgId]))
      const { sessionId } = await guest()
      const [mail] = await mailsOf(server, () => ask(sessionId, invitedAddress))
      expect(mail?.to).toBe(invitedAddress)
      expect(mail?.subject).toBe('Your interview data: the link to your page')
      expect(mail?.headers).not.toContain('bcc')
      expect(mail?.text).toContain('from the interview with Acme Bcc: & $& Sons. Here')
    })
  })
