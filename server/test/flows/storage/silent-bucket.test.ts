import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpOut, type HttpOut } from '../../../src/platform/http-out/http-out.ts'
import { buildCaptureSession, newClientId, picture, sendStill, sha256 } from '../../test-support/capture-session.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { type FrozenProxy, startFrozenProxy } from '../../test-support/frozen-proxy.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { until } from '../../test-support/until.ts'
import { inDouble, opens, storageOf } from './storage.test-support.ts'

/** Requests that meet the silence together. */
const atOnce = 24

describeEachDatabase('an object store that falls silent', (_open, engine) => {
  let double: S3Double
  let proxy: FrozenProxy
  let server: TestServer
  /** Requests to the store, without those that only ask whether it lives. */
  let sent = 0
  beforeAll(async () => {
    double = await startS3Double()
    const { hostname, port } = new URL(double.endpoint)
    proxy = await startFrozenProxy({ host: hostname, port: Number(port) })
    const http = createHttpOut({ allowPrivate: true, isInTransaction: () => server.app.db.inTransaction() })
    const httpOut: HttpOut = {
      ...http,
      request: (url, ask) => {
        if (ask.apart !== true) sent += 1
        return http.request(url, ask)
      },
    }
    server = await startServer({ engine, overrides: { httpOut } })
  })
  afterAll(async () => {
    await server.stop()
    await proxy.close()
    await double.stop()
  })

  const readiness = async () => (await fetch(`${server.url}/v1/health/ready`)).text()
  const gauge = async () => /^buckets_silent (\d)$/m.exec((await server.app.metrics.render()).text)?.[1]

  it('holds no connection to the database while requests wait for it', async () => {
    await storageOf(server).put({ ...inDouble(double), endpoint: `http://127.0.0.1:${proxy.port}` } as never)
    const here = await buildCaptureSession(server)
    // Only what writes is left without an answer, so that the pulse finds nothing before this is over.
    const over = Promise.withResolvers<undefined>()
    let waiting = 0
    double.fault = ({ method }) => {
      if (method !== 'PUT') return undefined
      waiting += 1
      return over.promise
    }
    let answered = 0
    const send = async () => {
      await sendStill(server, here, { bytes: await picture(), clientId: newClientId() })
      answered += 1
    }
    const sending = Array.from({ length: atOnce }, send)
    await until(() => waiting >= atOnce)
    // More wait than there are connections, and one is enough to write with SQLite: with any held this would wait for them.
    await server.app.db.transact((tx) => tx.get('SELECT 1 AS one', []))
    await Promise.all(Array.from({ length: atOnce }, () => server.app.db.reader.get('SELECT 1 AS one', [])))
    expect(answered).toBe(0)
    over.resolve(undefined)
    await Promise.all(sending)
    expect(answered).toBe(atOnce)
    double.fault = () => undefined
  })

  it('is refused in words without a second try, while everything else is served, and is found again', async () => {
    await storageOf(server).put({ ...inDouble(double), endpoint: `http://127.0.0.1:${proxy.port}` } as never)
    const [here, elsewhere] = [await buildCaptureSession(server), await buildCaptureSession(server, { org: 1 })]
    const still = async () => ({ bytes: await picture(), clientId: newClientId() })
    const first = await still()
    const { data } = await sendStill(server, here, first)
    expect([await readiness(), await gauge()]).toEqual([expect.not.stringContaining('"limited"'), '0'])

    proxy.freeze()
    const before = sent
    let answered = 0
    const unavailable = { status: 503, code: 'service_unavailable', retryAfterMs: 10_000 }
    const isRefused = async () => {
      const refused = await refusalOf(sendStill(server, here, await still()))
      answered += 1
      expect(refused).toMatchObject({ ...unavailable, message: expect.stringContaining('the evidence store') })
    }
    const waiting = Array.from({ length: atOnce }, isRefused)
    // On a slow machine the silence is found before all of them have asked the store: the others never ask it.
    await until(() => sent - before === atOnce || answered > 0)
    // Everything else goes on beside them.
    await Promise.all(Array.from({ length: atOnce }, () => buildCaptureSession(server)))
    await sendStill(server, elsewhere, await still())
    await Promise.all(waiting)
    const asked = sent - before
    expect(asked).toBeLessThanOrEqual(atOnce)

    for (let n = 0; n < 10; n += 1) await isRefused()
    const url = here.api.call('evidence.downloadUrl', { params: { id: data.id } })
    const path = (await url).data.url.slice(server.app.config.baseUrl.length)
    expect((await fetch(server.url + path)).status).toBe(503)
    expect(sent - before).toBe(asked)
    expect(await readiness()).toContain("organisations' buckets that do not answer: 1")
    expect(await gauge()).toBe('1')

    proxy.thaw()
    await until(async () => !(await readiness()).includes('"limited"'))
    const again = await still()
    const { data: stored } = await sendStill(server, here, again)
    expect(await opens(server, here, { id: stored.id, sha256: sha256(again.bytes) })).toBe(true)
    expect(await gauge()).toBe('0')
  })
})
