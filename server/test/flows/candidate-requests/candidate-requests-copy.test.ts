import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeAccessCopy } from '../../../src/domains/candidates/candidate-requests/access-copy.view.ts'
import { getSession } from '../../../src/domains/interviews/sessions/sessions.read.service.ts'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { requestLink } from '../../test-support/candidate-requests.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { specOf } from '../../test-support/examples.ts'
import { failureOf, send } from '../../test-support/send.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  anEvent,
  aSegment,
  fullConfig,
  newPicture,
  register,
  scheduleSession,
  sha256,
  stillFor,
} from '../../test-support/world.ts'
import { asMember, day, type Interview, newInterview, submit, trail, verb } from './candidate-requests.test-support.ts'

interface Copy {
  readonly format: string
  readonly createdAt: string
  readonly organisation: { readonly name: string }
  readonly session: Readonly<Record<string, unknown>>
  readonly consentReceipts: readonly object[]
  readonly consents: readonly {
    readonly documentHash: string
    readonly lanes: object
    readonly shown: { readonly hash: string; readonly lanes: readonly { readonly text: string }[] }
  }[]
  readonly requests: readonly { readonly id: string; readonly messages: readonly { readonly text: string }[] }[]
  readonly evidence: readonly {
    readonly id: string
    readonly sha256: string
    readonly erasedAt: string | null
    readonly download: { readonly url: string; readonly expiresAt: string } | null
  }[]
  readonly transcript: readonly { readonly text: string; readonly startMs: number }[]
  readonly events: readonly { readonly kind: string; readonly clientId: string; readonly position: number }[]
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the copy of what is kept (${engine})`, () => {
    let server: TestServer

    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(async () => {
      await server.processAll()
      expect((await verifyAudit(server.app, { orgId: server.orgs[0].orgId })).ok).toBe(true)
      await server.stop()
    })

    const exported = (token: string, requestId: string) =>
      send(server.url, specOf('candidateRequests.export'), {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: JSON.stringify({ requestId }),
      })
    const freshToken = ({ scope, sessionId }: Interview) => requestLink(server, scope, sessionId)

    /** A live session of which something of each sort is kept. */
    const filledInterview = async (): Promise<Interview & { readonly pictures: readonly Buffer[] }> => {
      const { orgId, sandboxKey: key } = server.orgs[0]
      const body = { config: fullConfig, externalId: 'REQ-7', candidateLabel: 'Asha "A" Verma, née \u2028 Rao' }
      const session = await scheduleSession(server.client(key), body)
      await register(server, session)
      const agent = server.client(session.agent)
      const params = { id: session.id }
      const pictures = [await newPicture(), await newPicture()]
      for (const picture of pictures) {
        const still = { ...stillFor(server, picture), data: picture.toString('base64') }
        await agent.call('agent.screenshots.upload', { params, body: still })
      }
      await agent.call('agent.events.ingest', { params, body: { events: [anEvent(server), anEvent(server)] } })
      await agent.call('agent.transcript.upsert', { params, body: { segments: [2, 1, 3].map(aSegment) } })
      return { scope: { orgId, environment: 'sandbox' }, sessionId: session.id, agent: session.agent, key, pictures }
    }
    const approved = async (interview: Interview) => {
      const { id, token } = await submit(server, interview, 'access', { text: 'Please.' })
      await verb(server, 'approve', id, { text: 'Here it is.' })
      return { id, token }
    }
    const download = async (url: string) => {
      const { pathname, search } = new URL(url)
      return fetch(`${server.url}${pathname}${search}`)
    }

    it('holds the session, what was agreed to as it was shown, evidence, words, events and requests', async () => {
      const interview = await filledInterview()
      const { id, token } = await approved(interview)
      const answer = await exported(token, id)
      expect(answer.status, answer.text.slice(0, 300)).toBe(200)
      const copy = JSON.parse(answer.text) as Copy
      expect(Object.keys(copy)).toEqual([
        'format',
        'createdAt',
        'about',
        'organisation',
        'session',
        'consents',
        'consentReceipts',
        'requests',
        'evidence',
        'transcript',
        'atStart',
        'events',
        'bookkeeping',
      ])
      expect(copy.format).toBe('candidate-access-copy/1')
      expect(copy.session).toMatchObject({
        id: interview.sessionId,
        state: 'live',
        externalId: 'REQ-7',
        candidateLabel: 'Asha "A" Verma, née \u2028 Rao',
        device: { name: 'Laptop', platform: 'linux' },
      })
      expect(copy.session).not.toHaveProperty('provisionedBy')
      const [consent] = copy.consents
      expect(consent?.shown.hash).toBe(consent?.documentHash)
      expect(consent?.shown.lanes.length).toBeGreaterThan(3)
      expect(consent?.lanes).toHaveProperty('screen')
      expect(copy.consentReceipts).toMatchObject([
        {
          record: { pii_principal_id: interview.sessionId, pii_processing: { privacy_notice: consent?.documentHash } },
        },
      ])
      expect(copy.requests.map(({ id: own, messages }) => [own, messages.map(({ text }) => text)])).toEqual([
        [id, ['Please.', 'Here it is.']],
      ])
      expect(copy.evidence.map((item) => item.sha256)).toEqual(interview.pictures.map(sha256))
      expect(copy.transcript.map(({ text }) => text)).toEqual(['Sentence 1.', 'Sentence 2.', 'Sentence 3.'])
      expect(copy.events.map(({ position }) => position)).toEqual([1, 2])
      expect(answer.text).not.toContain('crq_')
      for (const member of [server.orgs[0].email, server.orgs[0].userId, 'acknowledgedBy', 'decidedBy'])
        expect(answer.text).not.toContain(member)
    })

    it('comes as a file that nobody keeps or runs, an item a line', async () => {
      const interview = await filledInterview()
      const { id, token } = await approved(interview)
      const { headers, text } = await exported(token, id)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('content-disposition')).toBe(`attachment; filename="access-copy-${interview.sessionId}.json"`)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-length')).toBeNull()
      const lines = text.split('\n')
      expect(lines.filter((line) => line.startsWith('    {"id":"evd_'))).toHaveLength(2)
      expect(lines.filter((line) => line.startsWith('    {"id":"obs_'))).toHaveLength(2)
    })

    it('has addresses that give the very bytes for five minutes', async () => {
      const interview = await filledInterview()
      const { id, token } = await approved(interview)
      const { evidence } = JSON.parse((await exported(token, id)).text) as Copy
      for (const [n, { download: given }] of evidence.entries()) {
        expect(given?.expiresAt).toBe(new Date(server.clock.now() + 300_000).toISOString())
        const answer = await download(given?.url ?? '')
        expect(answer.status).toBe(200)
        expect(Buffer.from(await answer.arrayBuffer())).toEqual(interview.pictures[n])
      }
      server.clock.advance(300_000)
      expect((await download(evidence[0]?.download?.url ?? '')).status).toBe(401)
      const again = JSON.parse((await exported(token, id)).text) as Copy
      expect((await download(again.evidence[0]?.download?.url ?? '')).status).toBe(200)
    })

    it('names what was erased, without an address', async () => {
      const interview = await filledInterview()
      const { id } = await approved(interview)
      const api = server.client(interview.key)
      await api.call('sessions.end', { params: { id: interview.sessionId } })
      await api.call('sessions.erase', { params: { id: interview.sessionId } })
      const copy = JSON.parse((await exported(await freshToken(interview), id)).text) as Copy
      expect(copy.evidence).toHaveLength(2)
      for (const item of copy.evidence) {
        expect(item.erasedAt).not.toBeNull()
        expect(item.download).toBeNull()
      }
      expect(copy.transcript).toEqual([])
    })

    it('is audited once for each download, and the organisation sees the last one', async () => {
      const interview = await filledInterview()
      const { id, token } = await approved(interview)
      expect((await verb(server, 'get', id)).lastDownloadAt).toBeNull()
      const exports = async () =>
        (await trail(server, interview)).filter((line) => line === 'candidate_request.exported link').length
      await exported(token, id)
      expect(await exports()).toBe(1)
      server.clock.advance(60_000)
      await exported(token, id)
      expect(await exports()).toBe(2)
      expect((await verb(server, 'get', id)).lastDownloadAt).toBe(new Date(server.clock.now()).toISOString())
    })

    it('is refused in words before the approval, after it has run out, and for everything else', async () => {
      const interview = await filledInterview()
      const access = await submit(server, interview, 'access')
      const expectRefusal = async (requestId: string, status: number, words: string) => {
        const answer = await exported(await freshToken(interview), requestId)
        expect(answer.status, answer.text).toBe(status)
        expect(failureOf(answer).error.message).toContain(words)
      }
      await expectRefusal(access.id, 409, 'not approved yet')
      await verb(server, 'acknowledge', access.id)
      await expectRefusal(access.id, 409, 'not approved yet')
      await verb(server, 'decline', access.id, { text: 'No.' })
      await expectRefusal(access.id, 409, 'declined')
      const statement = await submit(server, interview, 'context_statement')
      await verb(server, 'complete', statement.id)
      await expectRefusal(statement.id, 409, 'not a request for a copy')
      await expectRefusal('crr_00000000000000000000000000', 404, 'not found')
      const theirs = await approved(await newInterview(server))
      await expectRefusal(theirs.id, 404, 'not found')
      const { id } = await approved(interview)
      server.clock.advance(30 * day - 1)
      expect((await exported(await freshToken(interview), id)).status).toBe(200)
      server.clock.advance(1)
      await expectRefusal(id, 409, 'over')
      expect((await trail(server, interview)).filter((line) => line.includes('exported'))).toHaveLength(1)
    })

    it('is written in pieces of a page, however many events there are', async () => {
      const interview = await newInterview(server)
      const { scope, sessionId } = interview
      await register(server, { id: sessionId, agent: interview.agent })
      const count = 20_000
      const { app } = server
      const agent = server.client(interview.agent)
      for (let after = 0; after < count; after += 500) {
        const events = Array.from({ length: 500 }, (_, n) => ({
          ...anEvent(server, 'display.added', { note: 'x'.repeat(200) }),
          clientId: `event-no-${after + n}`,
        }))
        await agent.call('agent.events.ingest', { params: { id: sessionId }, body: { events } })
      }
      let pieces = 0
      let longest = 0
      let whole = ''
      for await (const piece of writeAccessCopy(
        { ...app, scope },
        await getSession({ reader: app.db.reader, scope }, sessionId),
      )) {
        pieces += 1
        longest = Math.max(longest, piece.length)
        whole += piece
      }
      expect(pieces).toBeGreaterThan(count / 500)
      expect(longest).toBeLessThan(whole.length / 20)
      const { id, token } = await approved(interview)
      const answer = await exported(token, id)
      const { events } = JSON.parse(answer.text) as Copy
      expect(events.map(({ clientId }) => clientId)).toEqual(Array.from({ length: count }, (_, n) => `event-no-${n}`))
    })

    it('is broken off rather than ended when it cannot be read to its end', async () => {
      const interview = await filledInterview()
      const { id, token } = await approved(interview)
      await server.app.db.transact((tx) =>
        tx.run("UPDATE integrity_events SET data = '{' WHERE session_id = ?", [interview.sessionId]),
      )
      await expect(exported(token, id)).rejects.toThrow()
    })

    it('is nothing that a member can take', async () => {
      const interview = await filledInterview()
      const { id } = await approved(interview)
      const shown = await asMember(server, 'portal.candidateRequests.get', {
        params: { orgId: interview.scope.orgId, requestId: id },
      })
      expect(shown.accessCopyUntil).not.toBeNull()
      expect((await exported(interview.key, id)).status).toBe(401)
    })
  })
