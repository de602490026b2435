import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpOut, type HttpOut } from '../../../src/platform/http-out/http-out.ts'
import { AzureContainer } from '../../../src/platform/storage/remote/azure.container.ts'
import { signAzure } from '../../../src/platform/storage/remote/azure.signature.ts'
import { type Azurite, azuriteProgram, startAzurite } from '../../test-support/azurite.ts'
import { buildCaptureSession, type CaptureSession, sendStill, storedFiles } from '../../test-support/capture-session.ts'
import { packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { opens, type PutBody, storageOf } from '../storage/storage.test-support.ts'
import { trailOf } from './packs.test-support.ts'

interface Item {
  readonly id: string
  readonly sha256: string
}

describe.skipIf(azuriteProgram === undefined)('packs in Azure', () => {
  let azurite: Azurite
  let http: HttpOut
  let server: TestServer
  let storage: ReturnType<typeof storageOf>
  let s: CaptureSession
  const items: Item[] = []
  const trail = trailOf(() => server)
  /** How often the server asked Azure to do this. */
  const asked = new Map<string, number>()

  beforeAll(async () => {
    azurite = await startAzurite(azuriteProgram ?? '')
    http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
    const url = new URL(`${azurite.endpoint}/evidence?restype=container`)
    const headers = signAzure({ method: 'PUT', url, headers: { 'content-length': '0' } }, azurite, Date.now())
    await (await http.request(url.href, { method: 'PUT', headers, silenceMs: 60_000 })).body.dump()
    // The server closes its own.
    const inner = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
    const counted: HttpOut = {
      ...inner,
      request: (address, options) => {
        asked.set(options.method, (asked.get(options.method) ?? 0) + 1)
        return inner.request(address, options)
      },
    }
    server = await startServer({ overrides: { httpOut: counted } })
    storage = storageOf(server)
    s = await buildCaptureSession(server)
  })
  afterAll(async () => {
    await server.stop()
    await http.close()
    await azurite.stop()
  })

  const inAzure = (): PutBody => {
    const { endpoint, account, key } = azurite
    return { provider: 'azure', account, container: 'evidence', key, endpoint, prefix: 'packs' }
  }
  /** What the container itself lists. */
  const names = async () => {
    const options = { http, now: () => Date.now(), retryMs: 0, silenceMs: 60_000 }
    return (await new AzureContainer({ ...azurite, container: 'evidence' }, options).list('packs/', { limit: 100 }))
      .names
  }
  const send = async (session: CaptureSession, count: number) => {
    const sent = []
    for (let n = 0; n < count; n += 1)
      sent.push(n % 3 === 0 ? packedSound(server, { sequence: items.length + n }) : await packedStill(server))
    return (await sendPack(session, sent)).map(({ evidence }) => evidence!)
  }
  const expectAllOpen = async () => {
    for (const item of items) expect(await opens(server, s, item), item.id).toBe(true)
  }

  it('are put with one request each, and every item opens alone', async () => {
    items.push(...(await send(s, 9)))
    await storage.put(inAzure())
    asked.clear()
    items.push(...(await send(s, 64)), ...(await send(s, 9)))
    expect(asked.get('PUT')).toBe(2)
    items.push((await sendStill(server, s)).data)
    expect(asked.get('PUT')).toBe(3)
    expect((await names()).length).toBe(3)
    expect((await storedFiles(server, 'objects')).length).toBe(1)
    await expectAllOpen()
    expect(await trail.faults(s)).toEqual([])
  })

  it('move as one object, beside what came alone, there and back', async () => {
    expect(await storage.migrate()).toMatchObject({ state: 'completed', moved: 1, failed: [] })
    expect((await names()).length).toBe(4)
    expect(await storedFiles(server, 'objects')).toEqual([])
    await expectAllOpen()
    await storage.put({ provider: 'local' })
    expect(await storage.migrate()).toMatchObject({ state: 'completed', moved: 4, failed: [] })
    expect(await names()).toEqual([])
    expect((await storedFiles(server, 'objects')).length).toBe(4)
    await expectAllOpen()
    expect(await trail.faults(s)).toEqual([])
  })

  it('that no row names are swept after a day, those of rows are not, and a session takes its own along', async () => {
    await storage.put(inAzure())
    const other = await buildCaptureSession(server)
    await send(other, 9)
    const own = await names()
    async function* source() {
      yield Buffer.alloc(40)
    }
    await server.app.store.put(`${s.orgId}/${server.app.newId('pck')}`, source(), { size: 40 })
    expect((await names()).length).toBe(own.length + 1)
    server.clock.advance(25 * 3_600_000)
    await server.processAll()
    expect(await names()).toEqual(own)
    await other.api.call('sessions.end', { params: { id: other.id } })
    await other.api.call('sessions.erase', { params: { id: other.id } })
    await server.processAll()
    expect(await names()).toEqual([])
  })
})
