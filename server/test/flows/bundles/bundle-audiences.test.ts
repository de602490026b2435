import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintApiKey } from '../../../src/domains/organisation/api-keys/api-keys.service.ts'
import { system } from '../../../src/kernel/identity/actor.ts'
import { generateIdentity } from '../../../src/platform/crypto/age-keys.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import type { WorldSession } from '../../test-support/world.ts'
import { unzip } from '../../test-support/zips.ts'
import { type Interview, submit, trail, verb } from '../candidate-requests/candidate-requests.test-support.ts'
import { fetchBytes, interview, keyOf, manifestIn, verdictOf } from './bundles.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`bundles for others (${engine})`, () => {
    let server: TestServer
    let session: WorldSession
    beforeAll(async () => {
      server = await startServer({ engine })
      session = await interview(server)
    })
    afterAll(() => server.stop())

    const asInterview = ({ id, agent }: WorldSession): Interview => {
      const { orgId, sandboxKey: key } = server.orgs[0]
      return { scope: { orgId, environment: 'sandbox' }, sessionId: id, agent, key }
    }
    const ofKey = (key: string, { id } = session, query = {}, headers = {}) =>
      fetchBytes(server, 'sessions.bundle', {
        headers: { authorization: `Bearer ${key}`, ...headers },
        params: { id },
        query,
      })
    const ofCandidate = (token: string, requestId: string, headers = {}) =>
      fetchBytes(server, 'candidateRequests.bundle', {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({ requestId }),
      })
    const holds = async (bytes: Buffer) =>
      expect(await verdictOf(bytes, ['--key', keyOf(server)])).toMatchObject({ code: 0, faults: [] })

    describe('candidateRequests.bundle', () => {
      it('holds the evidence and what is about the candidate, and nothing of those who review', async () => {
        const own = asInterview(session)
        const { id, token } = await submit(server, own, 'access')
        await verb(server, 'approve', id)
        const { status, bytes, headers } = await ofCandidate(token, id)
        expect(status, bytes.toString('utf8', 0, 300)).toBe(200)
        expect(headers['content-disposition']).toBe(`attachment; filename="session-${own.sessionId}.zip"`)
        const members = unzip(bytes)
        expect(manifestIn(members)[0]).toMatchObject({ audience: 'candidate', sessionId: own.sessionId })
        expect([...members.keys()].filter((path) => path.startsWith('evidence/'))).toHaveLength(3)
        expect(manifestIn(members).filter(({ leftOut }) => leftOut !== undefined)).toEqual([])
        expect([...members.keys()].filter((path) => path.startsWith('reports/'))).toEqual([])
        const text = [...members]
          .flatMap(([path, file]) => (path.startsWith('evidence/') ? [] : [file.toString()]))
          .join()
        const [{ userId, email }] = server.orgs
        const others = ['provisionedBy', 'report.signed_off', 'review.', '"usr_', '"key_', 'crq_', userId, email]
        expect(others.filter((word) => text.includes(word))).toEqual([])
        const rows = members.get('audit.jsonl')!.toString()
        for (const action of ['session.registered', 'evidence.stored', 'session.ended']) expect(rows).toContain(action)
        await holds(bytes)
      })

      it('can be resumed in the middle, and each part of it is recorded as a download', async () => {
        const own = asInterview(session)
        const { id, token } = await submit(server, own, 'access')
        await verb(server, 'approve', id)
        const { bytes, headers } = await ofCandidate(token, id)
        const [from, to] = [Math.floor(bytes.length / 3), bytes.length - 100]
        const range = { range: `bytes=${from}-${to - 1}`, 'if-range': String(headers['etag']) }
        const part = await ofCandidate(token, id, range)
        expect(part.status).toBe(206)
        expect(part.bytes.equals(bytes.subarray(from, to))).toBe(true)
        const downloads = (await trail(server, own)).filter((line) => line === 'candidate_request.exported link')
        expect(downloads.length).toBeGreaterThanOrEqual(2)
        expect((await verb(server, 'get', id)).lastDownloadAt).toBe(new Date(server.clock.now()).toISOString())
      })

      it('is refused before the approval, for a foreign request and without the link, and nothing is built', async () => {
        const own = asInterview(await interview(server))
        const { id, token } = await submit(server, own, 'access')
        expect((await ofCandidate(token, id)).status).toBe(409)
        const foreign = await submit(server, asInterview(session), 'access')
        expect((await ofCandidate(token, foreign.id)).status).toBe(404)
        expect((await ofCandidate(own.key, id)).status).toBe(401)
        const built = 'SELECT * FROM bundles WHERE session_id = ?'
        expect(await server.app.db.reader.all(built, [own.sessionId])).toEqual([])
      })

      it('names what was erased, and the rest of it holds', async () => {
        const own = asInterview(await interview(server))
        const { id, token } = await submit(server, own, 'access')
        await verb(server, 'approve', id)
        await server.client(own.key).call('sessions.erase', { params: { id: own.sessionId } })
        const { bytes } = await ofCandidate(token, id)
        expect(manifestIn(unzip(bytes)).filter(({ leftOut }) => leftOut === 'erased')).toHaveLength(3)
        await holds(bytes)
      })
    })

    describe('sessions.bundle', () => {
      it('is for a key that may read reports what a member gets, but for the audience', async () => {
        const { status, bytes } = await ofKey(server.orgs[0].sandboxKey)
        expect(status).toBe(200)
        const members = unzip(bytes)
        expect(manifestIn(members)[0]).toMatchObject({ audience: 'api' })
        expect(members.has('reports/report-1.json')).toBe(true)
        await holds(bytes)
      })

      it('shows reports as left out to a key that may not read them, and needs the scope of evidence', async () => {
        const keyWith = async (...scopes: ('evidence:read' | 'sessions:read')[]) => {
          const asked = { label: 'A key', environment: 'sandbox', scopes } as const
          const { orgId } = server.orgs[0]
          return server.app.db.transact((tx) =>
            mintApiKey({ ...server.app, tx, reader: tx }, { orgId, actor: system, input: asked }),
          )
        }
        const { bytes } = await ofKey((await keyWith('evidence:read')).token)
        const members = unzip(bytes)
        expect(members.has('reports/report-1.json')).toBe(false)
        expect(manifestIn(members)).toContainEqual({ path: 'reports/', kind: 'report', leftOut: 'not_permitted' })
        await holds(bytes)
        expect((await ofKey((await keyWith('sessions:read')).token)).status).toBe(403)
        expect((await ofKey(server.orgs[1].sandboxKey)).status).toBe(404)
      })

      it('gives evidence in age files to the recipients that are named', async () => {
        const { recipient } = generateIdentity()
        const { bytes } = await ofKey(server.orgs[0].sandboxKey, session, { recipients: recipient })
        const members = unzip(bytes)
        const sealed = [...members].filter(([path]) => path.startsWith('evidence/'))
        expect(sealed).toHaveLength(3)
        for (const [path, file] of sealed) {
          expect(path).toMatch(/\.age$/)
          expect(file.toString('utf8', 0, 21)).toBe('age-encryption.org/v1')
        }
        await holds(bytes)
        const plain = unzip((await ofKey(server.orgs[0].sandboxKey)).bytes)
        const hashes = [...plain.values()].map((file) => createHash('sha256').update(file).digest('hex'))
        const of = manifestIn(members).flatMap(({ evidence }) =>
          evidence ? [(evidence as { sha256: string }).sha256] : [],
        )
        expect(hashes).toEqual(expect.arrayContaining(of))
      })
    })
  })
