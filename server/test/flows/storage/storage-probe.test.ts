import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpOut, type HttpOut } from '../../../src/platform/http-out/http-out.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type PutBody, secretAccessKey, storageOf } from './storage.test-support.ts'

interface Fault {
  readonly status?: number
  readonly code?: string
  readonly date?: string
  /** `slow` says nothing at all; `cut` breaks off in the middle of its answer. */
  readonly how?: 'slow' | 'cut'
}

/** A provider with whom one thing is wrong; it speaks as far as is needed to hear of that. */
const startFaulty = async () => {
  let fault: Fault = {}
  let asked = 0
  const answer = (res: ServerResponse) => {
    const { status = 200, code = '', date, how } = fault
    if (how === 'slow') return
    res.writeHead(status, { 'x-ms-error-code': code, ...(date && { date }) })
    if (how === 'cut') res.write('<Error>', () => res.destroy())
    else res.end(`<Error><Code>${code}</Code></Error>`)
  }
  const server: Server = createServer((req, res) => {
    asked += 1
    req.resume().on('end', () => answer(res))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    set: (next: Fault) => {
      fault = next
      asked = 0
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

const anHourAgo = () => new Date(Date.now() - 3_600_000).toUTCString()

describeEachDatabase('a place that cannot be used', (_open, engine) => {
  let server: TestServer
  let provider: Awaited<ReturnType<typeof startFaulty>>
  const addresses: string[] = []
  beforeAll(async () => {
    const http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
    const httpOut: HttpOut = {
      ...http,
      request: (url, ask) => {
        addresses.push(url)
        // What is at Amazon is asked of the provider here; as slow as need be for a test: what says nothing for 20 ms.
        const asked = url.replace(/^https:\/\/[^/]+\.amazonaws\.com/, provider.origin)
        return http.request(asked, { ...ask, silenceMs: 20 })
      },
    }
    server = await startServer({ engine, overrides: { httpOut } })
    provider = await startFaulty()
  })
  afterAll(async () => {
    await server.stop()
    await provider.stop()
  })

  const refuses = async (body: PutBody, fault: Fault, words: string) => {
    provider.set(fault)
    const refused = await refusalOf(storageOf(server).put(body))
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(refused.details?.[0]).toEqual({ path: 'checks.write', message: expect.stringContaining(words) })
    expect(await storageOf(server).get()).toMatchObject({ provider: 'local', setAt: null })
    // Twice to write and twice to take back what may be there: somebody waits for the words.
    if (fault.how === 'slow') expect(provider.asked()).toBe(4)
  }

  it.each([
    ['wrong credentials', { status: 403, code: 'SignatureDoesNotMatch' }, 'the secret is not that of this access key'],
    ['no bucket', { status: 404, code: 'NoSuchBucket' }, 'there is no bucket of this name'],
    ['a bucket that is read-only', { status: 403, code: 'AccessDenied' }, 'these credentials may not do this'],
    ['no room left', { status: 507, code: 'QuotaExceeded' }, 'no room left'],
    ['silence', { how: 'slow' }, 'the host did not answer in time'],
    ['an answer cut off in the middle', { how: 'cut' }, 'the host closed the connection before its answer ended'],
    ['another time', { status: 403, code: 'RequestTimeTooSkewed' }, 'the clock of this machine'],
  ] as const)('of S3 is refused in words: %s', async (_, fault, words) => {
    const place = { endpoint: provider.origin, region: 'us-east-1', bucket: 'evidence' }
    await refuses({ provider: 's3', ...place, accessKeyId: 'key', secretAccessKey }, fault, words)
  })

  it.each([
    ['wrong credentials', { status: 403, code: 'AuthenticationFailed' }, 'does not accept this key'],
    ['no container', { status: 404, code: 'ContainerNotFound' }, 'there is no container of this name'],
    ['read-only', { status: 403, code: 'AuthorizationPermissionMismatch' }, 'these credentials may not do this'],
    ['no room left', { status: 409, code: 'AccountQuotaExceeded' }, 'no room left'],
    ['silence', { how: 'slow' }, 'the host did not answer in time'],
    ['an answer cut off in the middle', { how: 'cut' }, 'the host closed the connection before its answer ended'],
    ['another time', { status: 403, code: 'AuthenticationFailed', date: anHourAgo() }, 'the clock of this machine'],
  ] as const)('of Azure is refused in words: %s', async (_, fault, words) => {
    const endpoint = `${provider.origin}/account1`
    const body = { provider: 'azure', account: 'account1', container: 'evidence', key: 'a2V5', endpoint } as const
    await refuses(body, fault, words)
  })

  it.each([
    ['interviews', 'https://interviews.s3.eu-west-1.amazonaws.com/'],
    // A certificate for all buckets covers no name with a dot.
    ['interviews.example', 'https://s3.eu-west-1.amazonaws.com/interviews.example/'],
  ])('of Amazon is asked at an address that its certificate covers: %s', async (bucket, address) => {
    addresses.length = 0
    const place = { region: 'eu-west-1', bucket, accessKeyId: 'key', secretAccessKey }
    await refuses({ provider: 's3', ...place }, { status: 403, code: 'AccessDenied' }, 'these credentials may not do')
    expect(addresses.length).toBeGreaterThan(0)
    expect(addresses.filter((url) => !url.startsWith(address))).toEqual([])
  })
})
