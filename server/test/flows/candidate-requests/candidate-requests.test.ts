import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestsPerSession } from '../../../src/domains/candidates/candidate-requests/submitting.service.ts'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { invited, requestLink } from '../../test-support/candidate-requests.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { addMember } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { newPicture, register, stillFor } from '../../test-support/world.ts'
import {
  asMember,
  day,
  expectWordsNowhereElse,
  hostile,
  type Interview,
  invitedAddress,
  mailsOf,
  marker,
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

    describe('candidateRequests.view', () => {
      it('shows what is kept of the session, what was agreed and when the link ends', async () => {
        const { key, ...interview } = await newInterview(server)
        const empty = await page({ key, ...interview })
        expect(empty).toMatchObject({
          session: { id: interview.sessionId, candidateLabel: 'Asha Verma', state: 'scheduled', legalHold: false },
          consent: { status: 'pending' },
          collected: [],
          eventCount: 0,
          requests: [],
        })
        expect(Date.parse(empty.expiresAt)).toBe(server.clock.now() + 7 * day)
        await register(server, { id: interview.sessionId, agent: interview.agent })
        const picture = await newPicture()
        const still = { ...stillFor(server, picture), data: picture.toString('base64') }
        const agent = server.client(interview.agent)
        await agent.call('agent.screenshots.upload', { params: { id: interview.sessionId }, body: still })
        const filled = await page({ key, ...interview })
        expect(filled.session.state).toBe('live')
        expect(filled.consent.status).toBe('granted')
        expect(filled.collected).toEqual([{ evidenceType: 'screenshot', objects: 1, sizeBytes: picture.length }])
      })

      it('is refused with the reason once a newer link was made, and after its seven days', async () => {
        const { scope, sessionId } = await newInterview(server)
        const first = await requestLink(server, scope, sessionId)
        const view = (token: string) => server.client(token).call('candidateRequests.view')
        await view(first)
        const second = await requestLink(server, scope, sessionId)
        expect(await refused(view(first))).toMatchObject({ status: 401, reason: 'replaced' })
        server.clock.advance(7 * day - 1)
        expect((await view(second)).status).toBe(200)
        server.clock.advance(1)
        expect(await refused(view(second))).toMatchObject({ status: 401, reason: 'expired' })
        const never = await refused(view(`crq_${'0'.repeat(32)}`))
        expect(never).toMatchObject({ status: 401 })
        expect(never).not.toHaveProperty('reason')
      })
    })

    describe('candidateRequests.submit', () => {
      it('takes a statement word by word and shows it to both sides', async () => {
        const interview = await newInterview(server)
        const sent = await submit(server, interview, 'context_statement', { text: hostile })
        expect(sent).toMatchObject({ statusCode: 201, isNew: true, status: 'received', kind: 'context_statement' })
        const [own] = (await page(interview)).requests
        expect(own?.messages).toEqual([expect.objectContaining({ from: 'candidate', text: hostile })])
        const theirs = await verb(server, 'get', sent.id)
        expect(theirs).toMatchObject({
          environment: 'sandbox',
          origin: 'invitation',
          replyTo: null,
          session: { id: interview.sessionId, externalId: 'REQ-2041', candidateLabel: 'Asha Verma' },
          messages: own?.messages,
        })
        expect(await trail(server, interview)).toEqual(['candidate_request.submitted link'])
      })

      it('takes 10,000 characters and no more, and no statement without words', async () => {
        const interview = await newInterview(server)
        const long = '🦛'.repeat(10_000)
        const sent = await submit(server, interview, 'context_statement', { text: long })
        expect(sent.messages[0]?.text).toBe(long)
        const token = await requestLink(server, interview.scope, interview.sessionId)
        const send = (body: object) => server.client(token).call('candidateRequests.submit', { body: body as never })
        for (const body of [
          { kind: 'context_statement', text: `${long}x` },
          { kind: 'context_statement' },
          { kind: 'context_statement', text: ' \n\t ' },
          { kind: 'access', replyTo: 'a@example.org\r\nBcc: b@example.org' },
          { kind: 'access', replyTo: 'a@example.org, b@example.org' },
          { kind: 'deletion' },
        ])
          expect((await refused(send(body))).status, JSON.stringify(body).slice(0, 80)).toBe(400)
        expect((await page(interview)).requests).toHaveLength(1)
      })

      it('answers the open one of its kind instead of a second, and adds nothing to it', async () => {
        const interview = await newInterview(server)
        const first = await submit(server, interview, 'access', { text: 'Please send me everything.' })
        const again = await submit(server, interview, 'access', { text: 'Once more.', replyTo: 'x@example.org' })
        expect(again).toMatchObject({ statusCode: 200, isNew: false, id: first.id, messages: first.messages })
        expect((await submit(server, interview, 'erasure')).id).not.toBe(first.id)
        await verb(server, 'acknowledge', first.id)
        expect((await submit(server, interview, 'access')).id).toBe(first.id)
        await verb(server, 'decline', first.id, { text: 'You have one.' })
        const later = await submit(server, interview, 'access')
        expect(later).toMatchObject({ isNew: true, messages: [] })
        expect((await page(interview)).requests.map(({ kind }) => kind)).toEqual(['access', 'erasure', 'access'])
      })

      it('keeps one of 20 that are sent at once, announced and remembered once', async () => {
        const interview = await newInterview(server)
        const token = await requestLink(server, interview.scope, interview.sessionId)
        const body = { kind: 'erasure' } as const
        const mails = await mailsOf(server, async () => {
          const answers = await Promise.all(
            Array.from({ length: 20 }, () => server.client(token).call('candidateRequests.submit', { body })),
          )
          expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
          expect(answers.filter(({ data }) => data.isNew)).toHaveLength(1)
          expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
        })
        expect(mails).toHaveLength(1)
        expect(await trail(server, interview)).toEqual(['candidate_request.submitted link'])
      })

      it(`takes ${requestsPerSession} of a session and says so in words after that`, async () => {
        const interview = await newInterview(server)
        for (let n = 0; n < requestsPerSession; n++) {
          const { id, isNew } = await submit(server, interview, 'access')
          expect(isNew).toBe(true)
          await verb(server, 'decline', id, { text: 'No.' })
        }
        expect(await refused(submit(server, interview, 'access'))).toMatchObject({
          status: 409,
          message: expect.stringContaining(String(requestsPerSession)),
        })
      })

      it('keeps where to answer only where nobody was invited by e-mail', async () => {
        const alone = await newInterview(server)
        const sent = await submit(server, alone, 'access', { replyTo: 'own@example.org' })
        expect((await verb(server, 'get', sent.id)).replyTo).toBe('own@example.org')
        const guest = await newInterview(server)
        await invited(server, guest.scope, guest.sessionId, invitedAddress)
        const other = await submit(server, guest, 'access', { replyTo: 'own@example.org' })
        expect((await verb(server, 'get', other.id)).replyTo).toBe(invitedAddress)
        const rows = await server.app.db.reader.all<{ replyTo: string | null }>(
          'SELECT reply_to AS "replyTo" FROM candidate_requests WHERE request_id = ?',
          [other.id],
        )
        expect(rows).toEqual([{ replyTo: null }])
      })

      it('tells the owners and admins that something has arrived, and nothing of what', async () => {
        const admin = await addMember(server, 'admin')
        const reviewer = await addMember(server, 'reviewer')
        const interview = await newInterview(server, 'live')
        let id = ''
        const mails = await mailsOf(server, async () => {
          id = (await submit(server, interview, 'context_statement', { text: hostile })).id
          await submit(server, interview, 'context_statement', { text: hostile })
        })
        expect(mails).toHaveLength(1)
        const { to = '', subject, headers = [], text = '' } = mails[0] ?? {}
        expect(to).toContain(admin.email)
        expect(to).toContain(server.orgs[0].email)
        expect(to).not.toContain(reviewer.email)
        expect(subject).toBe('A candidate has sent a statement for the reviewers')
        for (const shown of [interview.sessionId, 'REQ-2041', `/desk/requests/${id}`]) expect(text).toContain(shown)
        for (const hidden of [marker, 'Bcc', 'Asha', 'Verma', 'everybody@']) {
          expect(text).not.toContain(hidden)
          expect([to, subject, ...headers].join(' ')).not.toContain(hidden)
        }
      })
    })

    describe('portal.candidateRequests.list', () => {
      it('shows the open ones of both environments, newest first, unless it is asked otherwise', async () => {
        const live = await newInterview(server, 'live')
        const access = await submit(server, live, 'access')
        server.clock.advance(1000)
        const statement = await submit(server, live, 'context_statement')
        await verb(server, 'acknowledge', access.id)
        const sandbox = await submit(server, await newInterview(server), 'erasure')
        const list = async (query: object = {}) =>
          (
            await asMember(server, 'portal.candidateRequests.list', {
              params: { orgId },
              query: { limit: 100, ...query },
            })
          ).items
        const ids = async (query?: object) => (await list(query)).map(({ id }) => id)
        expect((await ids()).slice(0, 3)).toEqual([sandbox.id, statement.id, access.id])
        expect((await ids({ environment: 'live' })).slice(0, 2)).toEqual([statement.id, access.id])
        expect(await ids({ environment: 'live' })).not.toContain(sandbox.id)
        expect(await ids({ environment: 'sandbox' })).toContain(sandbox.id)
        expect(await ids({ environment: 'sandbox' })).not.toContain(access.id)
        expect((await ids({ kind: 'access' }))[0]).toBe(access.id)
        expect(await ids({ status: 'received' })).not.toContain(access.id)
        expect(await ids({ status: 'acknowledged' })).toContain(access.id)
        await verb(server, 'complete', statement.id)
        expect(await ids()).not.toContain(statement.id)
        expect(await ids({ status: 'all' })).toContain(statement.id)
        expect(await ids({ status: 'completed', kind: 'context_statement' })).toContain(statement.id)
        expect(await ids({ status: 'completed', kind: 'access' })).toEqual([])
        const shown = (await list({ status: 'all' })).find(({ id }) => id === statement.id)
        expect(shown?.messages).toHaveLength(1)
      })

      it('begins with what came first where it is asked for what is due, page by page', async () => {
        const seen: string[] = []
        const sent: string[] = []
        for (const kind of ['access', 'erasure', 'context_statement'] as const) {
          server.clock.advance(1000)
          sent.push((await submit(server, await newInterview(server, 'live'), kind)).id)
        }
        let cursor: string | null | undefined
        do {
          const query = { limit: 2, sort: 'due', environment: 'live', ...(cursor ? { cursor } : {}) } as const
          const params = { orgId }
          const page = await asMember(server, 'portal.candidateRequests.list', { params, query })
          seen.push(...page.items.map(({ id }) => id))
          cursor = page.nextCursor
        } while (cursor)
        expect(seen.slice(-3)).toEqual(sent)
        expect(new Set(seen).size).toBe(seen.length)
      })
    })

    describe('portal.candidateRequests.preview', () => {
      it('counts what an approval sends out or erases now', async () => {
        const interview = await newInterview(server, 'live')
        const { id } = await submit(server, interview, 'erasure')
        const preview = () => asMember(server, 'portal.candidateRequests.preview', { params: { orgId, requestId: id } })
        expect(await preview()).toEqual({
          requestId: id,
          kind: 'erasure',
          state: 'scheduled',
          legalHold: false,
          erasedAt: null,
          collected: [],
          eventCount: 0,
        })
        await register(server, { id: interview.sessionId, agent: interview.agent })
        const picture = await newPicture()
        const still = { ...stillFor(server, picture), data: picture.toString('base64') }
        const agent = server.client(interview.agent)
        await agent.call('agent.screenshots.upload', { params: { id: interview.sessionId }, body: still })
        expect(await preview()).toMatchObject({
          state: 'live',
          collected: [{ evidenceType: 'screenshot', objects: 1, sizeBytes: picture.length }],
        })
        await agent.call('agent.sessions.end', { params: { id: interview.sessionId }, body: {} })
        await verb(server, 'approve', id)
        expect(await preview()).toMatchObject({ erasedAt: expect.any(String), collected: [] })
      })
    })

    describe('portal.candidateRequests.get', () => {
      it("finds nothing of another organisation, and nothing through another organisation's path", async () => {
        const { id } = await submit(server, await newInterview(server), 'access')
        const [, other] = server.orgs
        const call = (org: string) =>
          asMember(server, 'portal.candidateRequests.get', { params: { orgId: org, requestId: id } })
        expect((await refused(call(other.orgId))).status).toBe(404)
        expect((await call(orgId)).id).toBe(id)
      })
    })
    it('nothing that a candidate or the organisation wrote is in a job, an event, an audit row or a log', async () => {
      await expectWordsNowhereElse(server)
    })
  })
