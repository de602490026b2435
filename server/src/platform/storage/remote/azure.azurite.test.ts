import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Azurite, azuriteProgram, startAzurite } from '../../../../test/test-support/azurite.ts'
import { hasSdks, openAzureSdk } from '../../../../test/test-support/makers-sdks.ts'
import type { HttpOut } from '../../http-out/http-out.ts'
import { describeObjectPlace, pieces, readWhole } from '../place.conformance.ts'
import { probePlace } from '../probe-place.ts'
import { StorageError } from '../types.ts'
import { AzureContainer, type AzurePlace } from './azure.container.ts'
import { signAzure } from './azure.signature.ts'
import { RemoteStore } from './remote.store.ts'
import { damaging, emptyPlaceIn, openHttp } from './remote.test-support.ts'

/** The makers' own server for tests. */
describe.skipIf(azuriteProgram === undefined)('Azurite', () => {
  let azurite: Azurite
  let http: HttpOut
  const containerOf = (more: Partial<AzurePlace> = {}) =>
    new AzureContainer(
      { ...azurite, container: 'evidence', ...more },
      { http, now: () => Date.now(), retryMs: 0, silenceMs: 60_000 },
    )

  beforeAll(async () => {
    http = openHttp()
    azurite = await startAzurite(azuriteProgram ?? '')
    const url = new URL(`${azurite.endpoint}/evidence?restype=container`)
    const request = { method: 'PUT', url, headers: { 'content-length': '0' } } as const
    const made = await http.request(url.href, {
      method: 'PUT',
      headers: signAzure(request, azurite, Date.now()),
      silenceMs: 60_000,
    })
    await made.body.dump()
    expect(made.statusCode).toBe(201)
  })
  afterAll(async () => {
    await http.close()
    await azurite.stop()
  })

  describeObjectPlace('azure', async () => emptyPlaceIn(containerOf, true))

  it.each([
    ['nothing', {}, undefined],
    ['a wrong key', { key: Buffer.from('other').toString('base64') }, 'these credentials may not do this'],
    ['a container that is not there', { container: 'elsewhere' }, 'there is no container of this name'],
  ])('says what is wrong with %s', async (_, more, words) => {
    const checks = await probePlace(new RemoteStore(containerOf(more), ''), 'org_a')
    expect(checks.find(({ ok }) => !ok)?.message).toBe(words)
  })

  it.each([1000, 9 * 1024 * 1024])('takes none of %i bytes that were altered on their way', async (size) => {
    const options = { http: damaging(http), now: () => Date.now(), retryMs: 0, silenceMs: 60_000 }
    const store = new RemoteStore(new AzureContainer({ ...azurite, container: 'evidence' }, options), 'damaged/')
    await expect(store.put('org_a/obj_1', pieces(randomBytes(size)), { size })).rejects.toThrow(StorageError)
    expect((await containerOf().list('damaged/', { limit: 10 })).names).toEqual([])
  })

  it.skipIf(!hasSdks).each([0, 1, 300_000, 20 * 1024 * 1024 + 7])(
    "Azure's own library reads %i bytes that we stored, and we what it stored",
    async (size) => {
      const sdk = openAzureSdk({ ...azurite, container: 'evidence' })
      const [ours, theirs] = [randomBytes(size), randomBytes(size)]
      const store = new RemoteStore(containerOf(), 'sdk/')
      await store.put(`org_a/ours_${size}`, pieces(ours, 100_000), { size })
      expect((await sdk.get(`sdk/org_a/ours_${size}`)).equals(ours)).toBe(true)
      await sdk.put(`sdk/org_a/theirs_${size}`, theirs)
      expect((await readWhole(store, `org_a/theirs_${size}`)).equals(theirs)).toBe(true)
    },
  )
})
