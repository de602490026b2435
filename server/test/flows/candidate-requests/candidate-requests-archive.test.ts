import type { EveryEndpoint } from '@integrity/client/contract-types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { requestLink } from '../../test-support/candidate-requests.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  anEvent,
  aSegment,
  fullConfig,
  newPicture,
  register,
  scheduleSession,
  stillFor,
} from '../../test-support/world.ts'
import { unzip } from '../../test-support/zips.ts'
import { day, type Interview, newInterview, submit, trail, verb } from './candidate-requests.test-support.ts'

const label = '<script>alert(1)</script> & "Asha" Verma'
type Contents = EveryEndpoint['candidateRequests.contents']['result']

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the copy as a ZIP file, and to be looked at (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(async () => {
      await server.processAll()
      expect((await verifyAudit(server.app, { orgId: server.orgs[0].orgId })).ok).toBe(true)
      await server.stop()
    })

    const filledInterview = async (count = 2) => {
      const { orgId, sandboxKey: key } = server.orgs[0]
      const session = await scheduleSession(server.client(key), { config: fullConfig, candidateLabel: label })
      await register(server, session)
      const agent = server.client(session.agent)
      const params = { id: session.id }
      const pictures: Buffer[] = []
      for (let n = 0; n < count; n++) {
        const picture = await newPicture()
        pictures.push(picture)
        const still = { ...stillFor(server, picture), data: picture.toString('base64') }
        await agent.call('agent.screenshots.upload', { params, body: still })
      }
      await agent.call('agent.events.ingest', { params, body: { events: [anEvent(server)] } })
      await agent.call('agent.transcript.upsert', { params, body: { segments: [1, 2].map(aSegment) } })
      const scope = { orgId, environment: 'sandbox' as const }
      return { scope, sessionId: session.id, agent: session.agent, key, pictures }
    }
    const approved = async (interview: Interview) => {
      const { id, token } = await submit(server, interview, 'access', { text: 'Please <b>.' })
      await verb(server, 'approve', id, { text: 'Here it is.' })
      return { id, token }
    }
    const archive = async (token: string, requestId: string, locale?: string) => {
      const answer = await fetch(`${server.url}/v1/candidate-requests/archive`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ requestId, ...(locale && { locale }) }),
      })
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    const contents = async (token: string, requestId: string, after = 0): Promise<Contents> =>
      (await server.client(token).call('candidateRequests.contents', { body: { requestId, after } })).data
    const freshToken = ({ scope, sessionId }: Interview) => requestLink(server, scope, sessionId)

    describe('candidateRequests.archive', () => {
      it('holds every recording, the document for programs, and a page that lists them in plain words', async () => {
        const interview = await filledInterview()
        const { id, token } = await approved(interview)
        const { answer, bytes } = await archive(token, id)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
        expect(answer.headers.get('content-disposition')).toBe(
          `attachment; filename="access-copy-${interview.sessionId}.zip"`,
        )
        expect(answer.headers.get('cache-control')).toBe('no-store')
        const members = unzip(bytes)
        const names = [...members.keys()]
        expect(names.slice(2)).toEqual(['copy.json', 'index.html'])
        for (const [n, picture] of interview.pictures.entries())
          expect(members.get(names[n] ?? '')?.equals(picture)).toBe(true)
        const copy = JSON.parse(members.get('copy.json')?.toString() ?? '') as {
          format: string
          evidence: { file: string; download?: unknown }[]
        }
        expect(copy.format).toBe('candidate-access-copy/2')
        expect(copy.evidence.map(({ file }) => file)).toEqual(names.slice(0, 2))
        for (const item of copy.evidence) expect(item).not.toHaveProperty('download')
        const page = members.get('index.html')?.toString() ?? ''
        for (const name of names.slice(0, 2)) expect(page).toContain(`<img src="${name}" alt="Picture of a display, `)
        for (const words of ['Sentence 1.', 'Sentence 2.', 'Please &lt;b&gt;.', 'Here it is.', 'Your screen', 'Yes'])
          expect(page).toContain(words)
        expect(page).not.toContain('Verma')
        expect(page).not.toMatch(/<script|https?:|\son\w+=|undefined|\{\w+\}/)
        for (const secret of [server.orgs[0].email, server.orgs[0].userId, 'crq_']) {
          expect(page).not.toContain(secret)
          expect(members.get('copy.json')?.includes(secret)).toBe(false)
        }
        expect((await trail(server, interview)).filter((line) => line.includes('exported'))).toEqual([
          'candidate_request.exported link',
        ])
      })

      it('has its page in Hindi where that is asked for', async () => {
        const interview = await filledInterview(1)
        const { id, token } = await approved(interview)
        const page =
          unzip((await archive(token, id, 'hi-IN')).bytes)
            .get('index.html')
            ?.toString() ?? ''
        expect(page).toContain('<html lang="hi">')
        expect(page).toContain('आपके साक्षात्कार के डेटा की प्रति')
        expect(page).not.toMatch(/\{\w+\}/)
      })

      it('says what was erased, and leaves out what cannot be read', async () => {
        const interview = await filledInterview(3)
        const { id, token } = await approved(interview)
        await server.app.db.transact((tx) =>
          tx.run('UPDATE evidence SET sha256 = ? WHERE session_id = ? AND position = 2', [
            '0'.repeat(64),
            interview.sessionId,
          ]),
        )
        const members = unzip((await archive(token, id)).bytes)
        expect([...members.keys()].filter((name) => name.startsWith('recordings/'))).toHaveLength(2)
        expect(members.get('index.html')?.toString()).toContain('It could not be read, and is missing in this copy.')
        const api = server.client(interview.key)
        await api.call('sessions.end', { params: { id: interview.sessionId } })
        await api.call('sessions.erase', { params: { id: interview.sessionId } })
        const after = unzip((await archive(await freshToken(interview), id)).bytes)
        expect([...after.keys()]).toEqual(['copy.json', 'index.html'])
        expect(
          after
            .get('index.html')
            ?.toString()
            .match(/It was deleted\./g),
        ).toHaveLength(3)
      })
    })

    describe('candidateRequests.contents', () => {
      it('gives pictures by addresses of five minutes, page by page, to the holder of the link', async () => {
        const interview = await filledInterview(26)
        const { id, token } = await approved(interview)
        const first = await contents(token, id)
        expect(first.items).toHaveLength(24)
        expect(first.next).toBe(24)
        const second = await contents(token, id, 24)
        expect([second.items.length, second.next, second.overview]).toEqual([2, null, null])
        const { pathname, search } = new URL(first.items[0]?.download?.url ?? '')
        const picture = await fetch(`${server.url}${pathname}${search}`)
        expect(Buffer.from(await picture.arrayBuffer()).equals(interview.pictures[0] ?? Buffer.alloc(0))).toBe(true)
        const stored = { evidenceType: 'screenshot', contentType: 'image/webp', erasedAt: null }
        expect(first.items[0]).toMatchObject(stored)
      })

      it('says who opened what on which day, without names, and for how much there is something', async () => {
        const interview = await filledInterview(1)
        const { id, token } = await approved(interview)
        const [item] = (await contents(token, id)).items
        const api = server.client(interview.key)
        await api.call('evidence.get', { params: { id: item?.id ?? '' } })
        await api.call('evidence.get', { params: { id: item?.id ?? '' } })
        const one = { by: 'program', thing: 'facts', times: 2 }
        server.clock.advance(day)
        await archive(await freshToken(interview), id)
        const { overview } = await contents(await freshToken(interview), id)
        expect(overview?.opened).toMatchObject([{ by: 'candidate', thing: 'copy', times: 1 }, one])
        expect(overview?.openedSince).toBeNull()
        expect(overview?.lanes.map(({ lane, declined }) => [lane, declined])).toContainEqual(['screen', false])
        expect(JSON.stringify(overview)).not.toMatch(/usr_|key_|@/)
      })
    })

    it('is given for an approved request of the same session alone, and to nobody else', async () => {
      const interview = await filledInterview(1)
      const waiting = await submit(server, interview, 'access')
      const expectRefusal = async (requestId: string, status: number) => {
        const token = await freshToken(interview)
        expect((await archive(token, requestId)).answer.status, requestId).toBe(status)
        expect((await refusalOf(contents(token, requestId))).status, requestId).toBe(status)
      }
      await expectRefusal(waiting.id, 409)
      await verb(server, 'decline', waiting.id, { text: 'No.' })
      await expectRefusal(waiting.id, 409)
      const theirs = await approved(await newInterview(server))
      for (const id of [theirs.id, 'crr_00000000000000000000000000', "' OR 1=1 --", '../../etc/passwd'])
        await expectRefusal(id, 404)
      await expectRefusal('x\u0000y', 400)
      const { id } = await approved(interview)
      for (const token of [interview.key, interview.agent, 'crq_nobody'])
        expect((await archive(token, id)).answer.status).toBe(401)
      server.clock.advance(30 * day)
      await expectRefusal(id, 409)
    })

    it('stands beside by when an answer is due: a month after it was asked for', async () => {
      const interview = await newInterview(server)
      const { createdAt, answerDueAt } = await submit(server, interview, 'access')
      const [asked, due] = [new Date(createdAt), new Date(answerDueAt ?? '')]
      expect(due.getUTCHours()).toBe(asked.getUTCHours())
      expect((due.getUTCMonth() + 12 - asked.getUTCMonth()) % 12).toBe(1)
      expect((await submit(server, interview, 'context_statement')).answerDueAt).toBeNull()
    })
  })
