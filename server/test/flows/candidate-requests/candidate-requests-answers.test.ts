import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messagesPerRequest } from '../../../src/domains/candidates/candidate-requests/candidate-requests.service.ts'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { invited } from '../../test-support/candidate-requests.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { newPicture, register, scheduleSession, stillFor } from '../../test-support/world.ts'
import {
  asMember,
  day,
  expectWordsNowhereElse,
  hostile,
  type Interview,
  invitedAddress,
  mailsOf,
  newInterview,
  pageOf,
  refused,
  submit,
  trail,
  verb,
} from './candidate-requests.test-support.ts'

for (const engine of everyEngine())
  describe(`candidate requests (${engine})`, () => {
    let server: TestServer
    let orgId: string

    beforeAll(async () => {
      server = await startServer({ engine })
      orgId = server.orgs[0].orgId
    })
    afterAll(async () => {
      expect((await verifyAudit(server.app, { orgId })).ok).toBe(true)
      await server.stop()
    })

    const page = (interview: Interview) => pageOf(server, interview)

    describe('portal.candidateRequests.acknowledge', () => {
      it('keeps who and when, once', async () => {
        const interview = await newInterview(server)
        const { id } = await submit(server, interview, 'access')
        const first = await verb(server, 'acknowledge', id)
        const acknowledgedAt = new Date(server.clock.now()).toISOString()
        expect(first).toMatchObject({
          status: 'acknowledged',
          acknowledgedAt,
          acknowledgedBy: expect.stringContaining('@'),
        })
        server.clock.advance(60_000)
        expect(await verb(server, 'acknowledge', id)).toEqual(first)
        expect(await trail(server, interview)).toEqual([
          'candidate_request.submitted link',
          'candidate_request.acknowledged user',
        ])
        const own = (await page(interview)).requests[0]
        expect(own).toMatchObject({ status: 'acknowledged', acknowledgedAt })
        expect(own).not.toHaveProperty('acknowledgedBy')
      })

      it('is refused in words once the request has ended', async () => {
        const { id } = await submit(server, await newInterview(server), 'access')
        await verb(server, 'decline', id, { text: 'No.' })
        expect(await refused(verb(server, 'acknowledge', id))).toMatchObject({
          status: 409,
          message: expect.stringContaining('declined'),
        })
      })
    })

    describe('portal.candidateRequests.respond', () => {
      it('writes to the candidate in every state of the request', async () => {
        const interview = await newInterview(server)
        const { id } = await submit(server, interview, 'access')
        await verb(server, 'respond', id, { text: 'One.' })
        await verb(server, 'acknowledge', id)
        await verb(server, 'respond', id, { text: 'Two.' })
        await verb(server, 'decline', id, { text: 'Three.' })
        const last = await verb(server, 'respond', id, { text: hostile })
        expect(last.messages.map(({ from, text }) => `${from}: ${text}`)).toEqual(
          ['One.', 'Two.', 'Three.', hostile].map((text) => `organisation: ${text}`),
        )
        expect((await page(interview)).requests[0]?.messages).toEqual(last.messages)
      })

      it('leaves the link alone and waits on the page where no address is known', async () => {
        const interview = await newInterview(server)
        const { id, token } = await submit(server, interview, 'access')
        const mails = await mailsOf(server, async () => {
          expect((await verb(server, 'respond', id, { text: 'Hello.' })).replyTo).toBeNull()
        })
        expect(mails).toEqual([])
        expect((await server.client(token).call('candidateRequests.view')).data.requests[0]?.messages).toHaveLength(1)
      })

      it(`keeps ${messagesPerRequest} messages, and the words of a decision beyond them`, async () => {
        const { id } = await submit(server, await newInterview(server), 'access', { text: 'Please.' })
        for (let n = 1; n < messagesPerRequest; n++) await verb(server, 'respond', id, { text: `Answer ${n}.` })
        expect((await refused(verb(server, 'respond', id, { text: 'One more.' }))).status).toBe(409)
        const { messages } = await verb(server, 'decline', id, { text: 'It is declined.' })
        expect(messages).toHaveLength(messagesPerRequest + 1)
        expect(messages.map(({ text }) => text)).toEqual([
          'Please.',
          ...Array.from({ length: messagesPerRequest - 1 }, (_, n) => `Answer ${n + 1}.`),
          'It is declined.',
        ])
      })
    })

    describe('portal.candidateRequests.approve', () => {
      it('opens a copy for 30 days, once', async () => {
        const interview = await newInterview(server)
        await invited(server, interview.scope, interview.sessionId, invitedAddress)
        const { id } = await submit(server, interview, 'access')
        const mails = await mailsOf(server, async () => {
          const first = await verb(server, 'approve', id, { text: 'Here it is.' })
          expect(first).toMatchObject({ status: 'approved', decidedBy: expect.stringContaining('@') })
          expect(Date.parse(first.accessCopyUntil ?? '')).toBe(server.clock.now() + 30 * day)
          server.clock.advance(1000)
          expect(await verb(server, 'approve', id, { text: 'Here it is again.' })).toEqual(first)
        })
        expect(mails.filter(({ to }) => to === invitedAddress)).toHaveLength(1)
        expect(await trail(server, interview)).toEqual([
          'candidate_request.submitted link',
          'candidate_request.approved user',
          'candidate_request.link_sent user',
        ])
      })

      it('erases what was captured in the same transaction, and keeps the requests', async () => {
        const interview = await newInterview(server)
        const { sessionId, agent, key } = interview
        const params = { id: sessionId }
        await register(server, { id: sessionId, agent })
        const picture = await newPicture()
        const still = { ...stillFor(server, picture), data: picture.toString('base64') }
        await server.client(agent).call('agent.screenshots.upload', { params, body: still })
        const { id } = await submit(server, interview, 'erasure', { text: 'Please erase it.' })
        const early = await refused(verb(server, 'approve', id))
        expect(early).toMatchObject({ status: 409, message: expect.stringContaining('live') })
        await server.client(key).call('sessions.end', { params })
        const hold = (on: 0 | 1) =>
          server.app.db.transact((tx) =>
            tx.run('UPDATE sessions SET legal_hold = ? WHERE session_id = ?', [on, sessionId]),
          )
        await hold(1)
        const held = await refused(verb(server, 'approve', id, { text: 'It is done.' }))
        expect(held).toMatchObject({ status: 409, message: expect.stringContaining('legal hold') })
        expect(await verb(server, 'get', id)).toMatchObject({ status: 'received', decidedAt: null })
        expect((await verb(server, 'get', id)).messages).toHaveLength(1)
        await hold(0)
        const done = await verb(server, 'approve', id, { text: 'It is done.' })
        expect(done).toMatchObject({ status: 'approved', accessCopyUntil: null })
        expect(await verb(server, 'approve', id)).toEqual(done)
        const after = await page(interview)
        expect(after.session.erasedAt).toBe(done.decidedAt)
        expect(after.collected).toEqual([])
        expect(after.requests[0]?.messages.map(({ text }) => text)).toEqual(['Please erase it.', 'It is done.'])
        const rows = await server.app.db.reader.all<{ n: number }>(
          "SELECT seq AS n FROM audit_log WHERE session_id = ? AND action = 'session.erased'",
          [sessionId],
        )
        expect(rows).toHaveLength(1)
      })

      it('has the effect of one when 20 approve at once', async () => {
        const interview = await newInterview(server)
        await invited(server, interview.scope, interview.sessionId, invitedAddress)
        const { id } = await submit(server, interview, 'erasure')
        const mails = await mailsOf(server, async () => {
          const answers = await Promise.all(
            Array.from({ length: 20 }, () => verb(server, 'approve', id, { text: 'Done.' })),
          )
          for (const answer of answers) expect(answer).toEqual(answers[0])
        })
        expect(mails.filter(({ to }) => to === invitedAddress)).toHaveLength(1)
        expect(await trail(server, interview)).toHaveLength(3)
      })

      it('and a decline at the same time come to one end, and the other is refused', async () => {
        const interview = await newInterview(server)
        const { id } = await submit(server, interview, 'erasure')
        const outcomes = await Promise.allSettled(
          Array.from({ length: 10 }, (_, n) => verb(server, n % 2 === 0 ? 'approve' : 'decline', id, { text: 'So.' })),
        )
        const { status, messages } = await verb(server, 'get', id)
        const ended = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.status] : []))
        expect(ended).toEqual(Array.from({ length: 5 }, () => status))
        expect(messages).toHaveLength(1)
        expect((await page(interview)).session.erasedAt !== null).toBe(status === 'approved')
      })

      it('is refused in words for a statement, and after another end', async () => {
        const interview = await newInterview(server)
        const statement = await submit(server, interview, 'context_statement')
        expect(await refused(verb(server, 'approve', statement.id))).toMatchObject({
          status: 409,
          message: expect.stringContaining('complete'),
        })
        const { id } = await submit(server, interview, 'erasure')
        await verb(server, 'decline', id, { text: 'There is a dispute.' })
        expect(await refused(verb(server, 'approve', id))).toMatchObject({
          status: 409,
          message: expect.stringContaining('declined'),
        })
        expect((await page(interview)).session.erasedAt).toBeNull()
      })
    })

    describe('portal.candidateRequests.decline', () => {
      it('keeps the reason as a message, and says nothing twice', async () => {
        const interview = await newInterview(server)
        const { id } = await submit(server, interview, 'context_statement')
        const declined = await verb(server, 'decline', id, { text: 'It is about another person.' })
        expect(declined.status).toBe('declined')
        expect(declined.messages.at(-1)).toMatchObject({ from: 'organisation', text: 'It is about another person.' })
        expect(await verb(server, 'decline', id, { text: 'Another reason.' })).toEqual(declined)
        expect((await refused(verb(server, 'decline', id, { text: '  ' }))).status).toBe(400)
      })
    })

    describe('portal.candidateRequests.complete', () => {
      it('marks a statement as read, and nothing else', async () => {
        const interview = await newInterview(server)
        const { id } = await submit(server, interview, 'context_statement')
        const completed = await verb(server, 'complete', id, { text: 'Thank you.' })
        expect(completed).toMatchObject({ status: 'completed', decidedBy: expect.stringContaining('@') })
        expect(await verb(server, 'complete', id)).toEqual(completed)
        for (const kind of ['access', 'erasure'] as const) {
          const other = await submit(server, interview, kind)
          expect((await refused(verb(server, 'complete', other.id))).status, kind).toBe(409)
        }
        expect(await trail(server, interview)).toContain('candidate_request.completed user')
      })
    })

    describe('portal.candidateContext.get', () => {
      const context = (sessionId: string, role: 'reviewer' | 'interviewer' = 'reviewer') =>
        asMember(server, 'portal.candidateContext.get', { params: { orgId, sessionId } }, role)

      it('gives reviewers the statements of a session in their order, and when each was read', async () => {
        const interview = await newInterview(server)
        const first = await submit(server, interview, 'context_statement', { text: 'First.' })
        const { decidedAt } = await verb(server, 'complete', first.id)
        server.clock.advance(1000)
        const second = await submit(server, interview, 'context_statement', { text: hostile })
        await submit(server, interview, 'access', { text: 'Not a statement.' })
        expect(await context(interview.sessionId)).toEqual({
          sessionId: interview.sessionId,
          statements: [
            { requestId: first.id, at: first.createdAt, text: 'First.', readAt: decidedAt, moment: null },
            { requestId: second.id, at: second.createdAt, text: hostile, readAt: null, moment: null },
          ],
        })
        await verb(server, 'decline', second.id, { text: 'Not about this interview.' })
        expect((await context(interview.sessionId)).statements[1]?.readAt).toBeNull()
      })

      it("finds nothing of another organisation's session", async () => {
        const theirs = await scheduleSession(server.client(server.orgs[1].sandboxKey))
        expect((await refused(context(theirs.id))).status).toBe(404)
        expect((await refused(context(theirs.id, 'interviewer'))).status).toBe(404)
      })
    })
    it('nothing that a candidate or the organisation wrote is in a job, an event, an audit row or a log', async () => {
      await expectWordsNowhereElse(server)
    })
  })
