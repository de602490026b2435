import { afterAll, beforeAll, expect, it } from 'vitest'
import { savePlace } from '../../../src/domains/administration/storage/places.store.ts'
import type { PlaceRow } from '../../../src/domains/administration/storage/storage.types.ts'
import { buildCaptureSession, newClientId, picture, sendStill, sha256 } from '../../test-support/capture-session.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { inDouble, opens, storageOf } from './storage.test-support.ts'

describeEachDatabase('an object store that is away', (_open, engine) => {
  let double: S3Double
  let server: TestServer
  beforeAll(async () => {
    double = await startS3Double()
    server = await startServer({ engine })
  })
  afterAll(async () => {
    await server.stop()
    await double.stop()
  })

  it('is known at once to whoever asks anew where it lies, and a little later to all, when another process chose it', async () => {
    const { orgId } = server.orgs[1]
    const { storagePlaces, db } = server.app
    const isThere = async (fresh: boolean) => (await storagePlaces.placesOf(orgId, fresh)) !== undefined
    expect(await isThere(false)).toBe(false)
    const place: PlaceRow = {
      id: 'local',
      settings: { provider: 'local' },
      wrappedSecrets: null,
      inUse: true,
      setAt: 1,
      replacedAt: null,
      validatedAt: null,
      checks: [],
      emptiedAt: null,
    }
    await db.transact((tx) => savePlace(tx, orgId, place))
    expect(await isThere(false)).toBe(false)
    expect(await isThere(true)).toBe(true)
    await db.transact((tx) => tx.run('DELETE FROM storage_places WHERE org_id = ?', [orgId]))
    expect(await isThere(false)).toBe(true)
    server.clock.advance(5000)
    expect(await isThere(false)).toBe(false)
  })

  it('refuses what would lie there, for now and in words, and takes the same once it is back', async () => {
    await storageOf(server).put(inDouble(double))
    const session = await buildCaptureSession(server)
    const [bytes, clientId] = [await picture(), newClientId()]
    double.fault = () => 'break'
    const refused = await refusalOf(sendStill(server, session, { bytes, clientId }))
    expect(refused).toMatchObject({ status: 503, code: 'service_unavailable', retryAfterMs: 10_000 })
    expect((await server.app.metrics.render()).text).toMatch(/outages_total\{cause="store_unreachable"\} [1-9]/)
    // The session itself goes on: what has no bytes is taken.
    const { data: read } = await session.api.call('sessions.get', { params: { id: session.id } })
    expect(read.state).toBe('live')
    double.fault = () => undefined
    const { data } = await sendStill(server, session, { bytes, clientId })
    expect(await opens(server, session, { id: data.id, sha256: sha256(bytes) })).toBe(true)
  })
})
