import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Azurite, azuriteProgram, startAzurite } from '../../../../test/test-support/azurite.ts'
import type { HttpOut } from '../../http-out/http-out.ts'
import { describeObjectPlace } from '../place.conformance.ts'
import { probePlace } from '../probe-place.ts'
import { AzureContainer, type AzurePlace } from './azure.container.ts'
import { signAzure } from './azure.signature.ts'
import { RemoteStore } from './remote.store.ts'
import { emptyPlaceIn, openHttp } from './remote.test-support.ts'

/** The makers' own server for tests. */
describe.skipIf(azuriteProgram === undefined)('Azurite', () => {
  let azurite: Azurite
  let http: HttpOut
  const containerOf = (more: Partial<AzurePlace> & { skewMs?: number } = {}) =>
    new AzureContainer(
      { ...azurite, container: 'evidence', ...more },
      { http, now: () => Date.now() + (more.skewMs ?? 0), retryMs: 0, silenceMs: 60_000 },
    )

  beforeAll(async () => {
    http = openHttp()
    azurite = await startAzurite(azuriteProgram ?? '')
    const url = new URL(`${azurite.endpoint}/evidence?restype=container`)
    const request = { method: 'PUT', url, headers: { 'content-length': '0' } } as const
    const made = await http.request(url.href, {
      ...{ method: 'PUT', headers: signAzure(request, azurite, Date.now()), silenceMs: 60_000 },
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
})
