import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { auditRowsOf } from '../../test-support/audit-rows.ts'
import { buildCaptureSession, sendStill, sha256, storedFiles } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { endedSession } from '../retention/retention.test-support.ts'
import { MiB, uploadsOf } from '../uploads/uploads.test-support.ts'
import { inDouble, opens, type PutBody, secretAccessKey, storageOf } from './storage.test-support.ts'

const names = ['write', 'read', 'range', 'conditional_write', 'list', 'delete']

for (const engine of enginesInTurn(import.meta.filename))
  describe(`storage (${engine})`, () => {
    let server: TestServer
    let double: S3Double
    let storage: ReturnType<typeof storageOf>

    beforeAll(async () => {
      server = await startServer({ engine })
      double = await startS3Double()
      storage = storageOf(server)
    })
    afterEach(async () => {
      double.fault = () => undefined
      await storage.put({ provider: 'local' })
      await storage.migrate(1000)
      double.objects.clear()
    })
    afterAll(async () => {
      await server.stop()
      await double.stop()
    })

    const audits = () =>
      server.app.db.reader.all<{ payload: string }>(
        `SELECT p.payload FROM audit_log a JOIN audit_payloads p ON p.org_id = a.org_id AND p.seq = a.seq
         WHERE a.action = 'storage.changed' ORDER BY a.seq`,
      )

    it('is the local disk where nobody has chosen', async () => {
      expect(await storage.get()).toEqual({ provider: 'local', setAt: null, version: 0, validatedAt: null, checks: [] })
      const { orgId } = server.orgs[1]
      expect(await server.app.storagePlaces.placesOf(orgId, true)).toBeUndefined()
    })

    describe('portal.storage.put', () => {
      it('takes a place where everything works, and never shows its secret', async () => {
        const chosen = await storage.put(inDouble(double, { prefix: 'interviews' }))
        expect(chosen).toMatchObject({
          provider: 's3',
          endpoint: double.endpoint,
          bucket: 'evidence',
          prefix: 'interviews/',
          pathStyle: true,
          checks: names.map((name) => ({ name, ok: true })),
        })
        expect(await storage.get()).toEqual(chosen)
        expect(double.objects.size).toBe(0)
        const rows = await server.app.db.reader.all('SELECT * FROM storage_places')
        const kept = JSON.stringify([chosen, rows, await audits(), server.logLines])
        expect(kept).toContain('evidence')
        expect(kept).not.toContain(secretAccessKey)
        expect(kept).not.toContain(Buffer.from(secretAccessKey).toString('base64').slice(0, -4))
      })

      it('tells the second of two who choose from what the first has changed', async () => {
        const { version: expectedVersion } = await storage.get()
        const mine = await storage.put(inDouble(double, { prefix: 'mine', expectedVersion }))
        const theirs = { prefix: 'theirs', expectedVersion }
        expect(await refusalOf(storage.put(inDouble(double, theirs)))).toMatchObject({
          status: 409,
          message: expect.stringContaining('meanwhile'),
          extra: { reason: 'changed' },
        })
        expect(await refusalOf(storage.put({ provider: 'local', expectedVersion: 0 }))).toMatchObject({ status: 409 })
        expect(await storage.get()).toEqual(mine)
        // In the same millisecond, too.
        const next = await storage.put(inDouble(double, { ...theirs, expectedVersion: mine.version }))
        expect(next).toMatchObject({ prefix: 'theirs/' })
        expect(next.setAt).not.toBe(mine.setAt)
      })

      it('lets new objects go there, sealed, and finds them', async () => {
        await storage.put(inDouble(double, { prefix: 'interviews' }))
        const before = (await storedFiles(server, 'objects')).length
        const session = await buildCaptureSession(server)
        const { data: still } = await sendStill(server, session)
        expect([...double.objects.keys()]).toEqual([expect.stringMatching(/^interviews\/org_\w+\/obj_\w+$/)])
        expect([...double.objects.values()][0]?.bytes.includes('WEBP')).toBe(false)
        expect((await storedFiles(server, 'objects')).length).toBe(before)
        expect(await opens(server, session, still)).toBe(true)
      })

      it.each([
        ['wrong credentials', { status: 403, code: 'SignatureDoesNotMatch' }, 'the secret is not that of'],
        ['no bucket', { status: 404, code: 'NoSuchBucket' }, 'there is no bucket'],
        ['read-only', { status: 403, code: 'AccessDenied' }, 'these credentials may not do this'],
        ['full', { status: 507, code: 'QuotaExceeded' }, 'no room left'],
        ['clock skew', { status: 403, code: 'RequestTimeTooSkewed' }, 'clock'],
        ['cut off in the middle', 'break', 'the host closed the connection before its answer ended'],
      ] as const)('refuses one with %s in words, and changes nothing', async (_, fault, words) => {
        const before = await storage.get()
        double.fault = ({ method }) => (method === 'PUT' ? fault : undefined)
        const refused = await refusalOf(storage.put(inDouble(double)))
        expect(refused).toMatchObject({ status: 400, code: 'invalid_request' })
        expect(refused.details?.[0]).toMatchObject({ path: 'checks.write', message: expect.stringContaining(words) })
        expect(await storage.get()).toEqual(before)
      })

      it.each([
        ['bucket', { bucket: '../x' }],
        ['bucket', { bucket: 'a..b' }],
        ['pathStyle', { pathStyle: false }],
        ['prefix', { prefix: '../x' }],
        ['prefix', { prefix: '/x' }],
        ['region', { region: 'eu west' }],
        ['secretAccessKey', { secretAccessKey: 'one\r\nX-Two: 2' }],
        ['accessKeyId', { accessKeyId: 'one\ntwo' }],
        ['endpoint', { endpoint: 'ftp://127.0.0.1' }],
        ['endpoint', { endpoint: 'http://key:word@127.0.0.1' }],
        ['endpoint', { endpoint: 'http://127.0.0.1:9/path' }],
        ['endpoint', { endpoint: 'http://169.254.169.254' }],
      ])('refuses a hostile %s (%j) without asking anybody', async (path, more) => {
        const asked = double.asks.length
        const refused = await refusalOf(storage.put(inDouble(double, more)))
        expect(refused).toMatchObject({ status: 400, details: [{ path }] })
        expect(double.asks.length).toBe(asked)
      })

      it.each([
        ['account', { account: 'A/../b' }],
        ['container', { container: '../x' }],
        ['key', { key: 'one\r\ntwo' }],
        ['endpoint', { endpoint: 'http://127.0.0.1:9/somebody-else' }],
        ['endpoint', { endpoint: 'http://127.0.0.1:9/account1?sig=1' }],
      ])('refuses a hostile %s of azure (%j)', async (path, more) => {
        const body = { provider: 'azure', account: 'account1', container: 'evidence', key: 'a2V5', ...more } as PutBody
        expect(await refusalOf(storage.put(body))).toMatchObject({ status: 400, details: [{ path }] })
      })

      it('is for owners and admins', async () => {
        const params = { orgId: server.orgs[0].orgId }
        const body: PutBody = { provider: 'local' }
        for (const role of ['interviewer', 'reviewer'] as const) {
          expect(await refusalOf(asMember(server, 'portal.storage.put', { params, body }, role))).toMatchObject({
            status: 403,
          })
          expect(await refusalOf(asMember(server, 'portal.storage.get', { params }, role))).toMatchObject({
            status: 403,
          })
        }
        expect((await asMember(server, 'portal.storage.put', { params, body }, 'admin')).provider).toBe('local')
      })

      it('takes the same place under another address for the same one', async () => {
        await storage.put(inDouble(double))
        await storage.migrate(1000)
        const session = await buildCaptureSession(server)
        const { data: still } = await sendStill(server, session)
        await storage.put(inDouble(double, { endpoint: double.endpoint.replace('127.0.0.1', 'localhost') }))
        expect(await storage.migrate()).toMatchObject({ moved: 0, remaining: 0 })
        expect(await opens(server, session, still)).toBe(true)
      })

      it('takes another folder of the same bucket for another place', async () => {
        await storage.put(inDouble(double, { prefix: 'one' }))
        const session = await buildCaptureSession(server)
        const { data: still } = await sendStill(server, session)
        await storage.put(inDouble(double, { prefix: 'two' }))
        expect((await storage.migrate(1000)).moved).toBeGreaterThan(0)
        expect([...double.objects.keys()].filter((key) => key.startsWith('one/'))).toEqual([])
        expect(await opens(server, session, still)).toBe(true)
      })
    })

    describe('portal.storage.validate', () => {
      it('tries again with what is kept, and says what works no more', async () => {
        const { validatedAt } = await storage.put(inDouble(double))
        server.clock.advance(60_000)
        double.fault = ({ query }) => (query.has('list-type') ? { status: 403, code: 'AccessDenied' } : undefined)
        const broken = await storage.validate()
        expect(broken.checks.filter(({ ok }) => !ok)).toEqual([
          { name: 'list', ok: false, message: 'these credentials may not do this' },
        ])
        expect(broken.validatedAt).toBe(validatedAt)
        const said = (await auditRowsOf(server, 'storage.validated')).at(-1)
        expect(said?.payload).toEqual({ ok: false, failed: ['list'] })
        double.fault = () => undefined
        const mended = await storage.validate()
        expect(mended.checks.every(({ ok }) => ok)).toBe(true)
        expect(mended.validatedAt).not.toBe(validatedAt)
        expect(await storage.get()).toEqual(mended)
      })
    })

    describe('an upload in parts', () => {
      const uploads = uploadsOf(() => server)

      it('goes to the place in use when it is whole, and leaves nothing here', async () => {
        await storage.put(inDouble(double))
        const before = (await storedFiles(server)).length
        const session = await uploads.session()
        const item = uploads.buildItem()
        const uploadId = await uploads.begin(session, item)
        await uploads.sendPart(session, uploadId, 0, uploads.partOf(item, 0))
        await server.restart()
        for (const index of [1, 2]) await uploads.sendPart(session, uploadId, index, uploads.partOf(item, index))
        const { data } = await uploads.complete(session, uploadId)
        expect(double.objects.size).toBe(1)
        expect((await storedFiles(server)).length).toBe(before)
        expect(sha256(await uploads.contentOf(session, data.id))).toBe(sha256(item.bytes))
      })

      it('that was begun here goes on here when another place is chosen meanwhile', async () => {
        const session = await uploads.session()
        const item = uploads.buildItem()
        const uploadId = await uploads.begin(session, item)
        await uploads.sendPart(session, uploadId, 0, uploads.partOf(item, 0))
        await storage.put(inDouble(double))
        await server.restart()
        for (const index of [1, 2]) await uploads.sendPart(session, uploadId, index, uploads.partOf(item, index))
        const { data } = await uploads.complete(session, uploadId)
        expect(sha256(await uploads.contentOf(session, data.id))).toBe(sha256(item.bytes))
        expect(await storage.migrate(1000)).toMatchObject({ state: 'completed', remaining: 0 })
        expect(sha256(await uploads.contentOf(session, data.id))).toBe(sha256(item.bytes))
      })

      it('is completed again after its last step failed', async () => {
        await storage.put(inDouble(double))
        const session = await uploads.session()
        const item = uploads.buildItem()
        const uploadId = await uploads.sendAll(session, item)
        double.fault = ({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined)
        expect(await refusalOf(uploads.complete(session, uploadId))).toMatchObject({ status: 503 })
        double.fault = () => undefined
        await server.restart()
        const { data } = await uploads.complete(session, uploadId)
        expect(sha256(await uploads.contentOf(session, data.id))).toBe(sha256(item.bytes))
      })

      it('of many megabytes goes up in parts', async () => {
        await storage.put(inDouble(double))
        const session = await uploads.session()
        const item = uploads.buildItem({ bytes: uploads.buildItem().bytes.subarray(0, 100), partSize: MiB })
        const large = { ...item, bytes: Buffer.concat([item.bytes, Buffer.alloc(17 * MiB, 7)]) }
        const uploadId = await uploads.sendAll(
          session,
          large,
          Array.from({ length: 18 }, (_, n) => n),
        )
        const { data } = await uploads.complete(session, uploadId)
        expect(double.asks.some(({ query }) => query.has('partNumber'))).toBe(true)
        expect(sha256(await uploads.contentOf(session, data.id))).toBe(sha256(large.bytes))
      })
    })

    it('erasing a session takes its bytes away where they lie', async () => {
      await storage.put(inDouble(double))
      const session = await endedSession(server, { stills: 2 })
      expect(double.objects.size).toBe(2)
      await session.api.call('sessions.erase', { params: { id: session.id } })
      await server.processAll()
      expect(double.objects.size).toBe(0)
    })
  })

describe('without the switch for development', () => {
  it('an endpoint at a private address is refused', async () => {
    const server = await startServer({ env: { WEBHOOK_ALLOW_PRIVATE: '0' } })
    const double = await startS3Double()
    try {
      for (const endpoint of [
        double.endpoint,
        'https://127.0.0.1',
        'https://10.0.0.7',
        'https://[::1]',
        'https://localhost',
      ])
        expect(await refusalOf(storageOf(server).put(inDouble(double, { endpoint }))), endpoint).toMatchObject({
          status: 400,
          details: [{ path: 'endpoint' }],
        })
      expect(double.asks).toEqual([])
    } finally {
      await server.stop()
      await double.stop()
    }
  })
})
