import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { eraseSomeEvidence } from '../../../src/domains/recording/evidence/evidence.erase.service.ts'
import { requestLink } from '../../test-support/candidate-requests.ts'
import type { CaptureSession } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { scopeOf } from '../evidence/evidence.test-support.ts'
import { readReel, reelsOf } from '../reels/reels.test-support.ts'
import { asMember, refused, verb } from './candidate-requests.test-support.ts'

interface Copy {
  readonly token: string
  readonly requestId: string
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the player of an interview, for its candidate (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(async () => {
      await server.processAll()
      expect((await verifyAudit(server.app, { orgId: server.orgs[0].orgId })).ok).toBe(true)
      await server.stop()
    })
    const t = reelsOf(() => server)

    const linkOf = (s: CaptureSession) => requestLink(server, scopeOf(s), s.id)
    const asked = async (s: CaptureSession): Promise<Copy> => {
      const token = await linkOf(s)
      const { data } = await server.client(token).call('candidateRequests.submit', { body: { kind: 'access' } })
      return { token, requestId: data.id }
    }
    const copied = async (s: CaptureSession): Promise<Copy> => {
      const copy = await asked(s)
      await verb(server, 'approve', copy.requestId, { text: 'Here it is.' })
      return copy
    }
    const indexOf = async ({ token, requestId }: Copy) =>
      (await server.client(token).call('candidateRequests.reelIndex', { body: { requestId } })).data
    const reelOf = ({ token, requestId }: Copy, source: string, more: object = {}) =>
      readReel(
        `${server.url}/v1/candidate-requests/reels`,
        { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        'POST',
        JSON.stringify({ requestId, source, ...more }),
      )
    const held = async () => {
      const s = await t.session()
      const { ids } = await t.sendStills(s, { count: 4 })
      await t.sendSound(s, 2)
      await t.end(s)
      return { s, ids }
    }

    it('has the sources that reviewers play, and nothing that they wrote', async () => {
      const { s } = await held()
      await asMember(server, 'portal.notes.add', { params: { id: s.id }, body: { text: 'SECRET of the reviewers' } })
      const own = await indexOf(await copied(s))
      const theirs = await asMember(server, 'portal.reelIndex.get', { params: { id: s.id } })
      expect(own.sources).toEqual(theirs.sources)
      expect(own).toMatchObject({ sessionId: s.id, startedAt: theirs.startedAt, complete: true, speech: theirs.speech })
      const { chains } = await asMember(server, 'portal.captureChain.get', { params: { id: s.id } })
      expect(own.keys).toEqual(chains.map(({ key, documentHash, signature }) => ({ key, documentHash, signature })))
      expect(JSON.stringify(own)).not.toContain('SECRET')
    })

    it('plays the same bytes, each look of which is a row that both sides read', async () => {
      const { s, ids } = await held()
      const copy = await copied(s)
      const own = await reelOf(copy, 'screen:d1', { from: 0 })
      const theirs = await t.ofMember(s, 'screen:d1', await t.owner(), { from: 0 })
      expect(own.frames.map(({ head }) => head.id)).toEqual(ids)
      expect(own.bytes.equals(theirs.bytes)).toBe(true)
      expect(own.headers.get('cache-control')).toContain('no-store')
      const rows = (await t.accessLog(s)).items.filter(({ what }) => what === 'evidence.played')
      expect(rows.map(({ who }) => who.kind).sort()).toEqual(['link', 'user'])
      const { overview } = (
        await server.client(copy.token).call('candidateRequests.contents', { body: { requestId: copy.requestId } })
      ).data
      expect(overview?.opened).toContainEqual(
        expect.objectContaining({ by: 'candidate', thing: 'recording', times: 1 }),
      )
    })

    it('says what is signed of each item of a stretch, as members are told', async () => {
      const { s } = await held()
      const { token, requestId } = await copied(s)
      const span = { from: '2000-01-01T00:00:00.000Z', to: '2999-01-01T00:00:00.000Z' }
      const { data } = await server.client(token).call('candidateRequests.signatures', { body: { requestId, ...span } })
      const { items } = await asMember(server, 'portal.evidence.list', {
        params: { id: s.id },
        query: { ...span, limit: 100 },
      })
      expect(data.items).toEqual(
        items.map(({ id, sha256, evidenceType, capturedAt, durationMs, captureSignature }) => ({
          id,
          sha256,
          evidenceType,
          capturedAt,
          captureSignature,
          ...(durationMs === undefined ? {} : { durationMs }),
        })),
      )
      expect([data.items.length, data.nextCursor]).toEqual([6, null])
    })

    it('says of what was erased that it was, and has no bytes of it', async () => {
      const { s } = await held()
      const copy = await copied(s)
      await server.app.db.transact((tx) =>
        eraseSomeEvidence(
          { ...server.app, tx, reader: tx, scope: scopeOf(s) },
          { sessionId: s.id, limit: 1, now: server.clock.now() },
        ),
      )
      const { frames } = await reelOf(copy, 'screen:d1', { from: 0 })
      expect(frames.map(({ head, body }) => [head.absent, body.length > 0])).toEqual([
        ['erased', false],
        ...[1, 2, 3].map(() => [undefined, true]),
      ])
    })

    it('is refused before the copy is approved, and with a request of another interview', async () => {
      const [{ s }, { s: other }] = [await held(), await held()]
      const open = await asked(s)
      const others = await copied(other)
      for (const call of [
        (copy: Copy) => indexOf(copy),
        ({ token, requestId }: Copy) =>
          server.client(token).call('candidateRequests.reels', { body: { requestId, source: 'screen:d1' } }),
        ({ token, requestId }: Copy) =>
          server.client(token).call('candidateRequests.signatures', {
            body: { requestId, from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' },
          }),
      ]) {
        expect(await refused(call(open))).toMatchObject({ status: 409 })
        expect(await refused(call({ token: open.token, requestId: others.requestId }))).toMatchObject({ status: 404 })
      }
      expect((await t.accessLog(s)).items.filter(({ what }) => what === 'evidence.played')).toEqual([])
    })
  })

describe('the ceilings of what candidates play', () => {
  let server: TestServer
  afterAll(() => server?.stop())
  const t = reelsOf(() => server)

  it('are of the interview, whichever link is used, and leave those of members alone', async () => {
    server = await startServer({ limits: { answersPerCredential: 2, answersPerOrg: 3 } })
    const s = await t.session()
    await t.sendStills(s, { count: 1 })
    await t.end(s)
    const token = await requestLink(server, scopeOf(s), s.id)
    const { data } = await server.client(token).call('candidateRequests.submit', { body: { kind: 'access' } })
    await verb(server, 'approve', data.id, { text: 'Here it is.' })
    const statusBy = async (link: string) => {
      const headers = { authorization: `Bearer ${link}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ requestId: data.id, source: 'screen:d1' })
      return (await readReel(`${server.url}/v1/candidate-requests/reels`, headers, 'POST', body)).status
    }
    expect([await statusBy(token), await statusBy(token), await statusBy(token)]).toEqual([200, 200, 429])
    expect(await statusBy(await requestLink(server, scopeOf(s), s.id))).toBe(429)
    const owner = await t.owner()
    for (let n = 0; n < 2; n++) expect((await t.ofMember(s, 'screen:d1', owner, { from: 0 })).status).toBe(200)
  })
})
