import type { Client } from '@integrity/client/every-endpoint'
import type { buildConnector } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpOut } from '../../../src/platform/http-out/http-out.ts'
import { publish } from '../../test-support/publish.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const publicAddress = '93.184.215.14'

/** Ways to write an address that must never be reached, and what hides one. */
const forbidden = [
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[::]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[fe80::1%25eth0]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://10.0.0.1:8443/',
  'https://LOCALHOST/',
  'https://metadata.google.internal/',
  'https://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/',
]
const malformed = [
  ['https://user:secret@hooks.example.com/', 'the URL must not carry credentials'],
  ['https://hooks.example.com@127.0.0.1/', 'the URL must not carry credentials'],
  ['https://hooks.example.com/#part', 'the URL must not carry a fragment'],
  ['https://hooks.example.com/#', 'the URL must not carry a fragment'],
  [
    'http://hooks.example.com/',
    'the scheme must be https; a server for development takes http and private addresses when WEBHOOK_ALLOW_PRIVATE=1 is set',
  ],
  ['/hook', 'not an absolute URL'],
] as const

/** A server as in production. Nothing is dialled: the connector notes what it was asked for and refuses. */
describe('the target of a webhook outside development', () => {
  let server: TestServer
  let api: Client
  let addresses: readonly string[]
  const dialled: string[] = []
  const connectBase: buildConnector.connector = (options, callback) => {
    dialled.push(options.hostname)
    callback(Object.assign(new Error('noted'), { code: 'ENOTED' }), null)
  }

  beforeAll(async () => {
    const httpOut = createHttpOut({
      allowPrivate: false,
      isInTransaction: () => false,
      lookup: async () => addresses,
      connectBase,
    })
    server = await startServer({ env: { WEBHOOK_ALLOW_PRIVATE: '0' }, overrides: { httpOut } })
    api = server.client(server.orgs[0].sandboxKey)
  })
  beforeEach(() => {
    addresses = [publicAddress]
    dialled.length = 0
  })
  afterAll(() => server.stop())

  const create = async (url: string) =>
    (await api.call('webhooks.create', { body: { url, eventTypes: ['session.scheduled'] } })).data
  const remove = (id: string) => api.call('webhooks.delete', { params: { id } })
  const attempts = async (id: string) => {
    const { data } = await api.call('webhooks.deliveries.list', { params: { id } })
    return data.items.flatMap((item) => item.attempts)
  }

  it.each(forbidden)('is refused when it is %s: at creation, at a change, and at a delivery', async (url) => {
    const refusal = { status: 400, code: 'invalid_request', details: [{ path: 'url' }] }
    await expect(create(url)).rejects.toMatchObject(refusal)
    const { id } = await create('https://hooks.example.com/')
    await expect(api.call('webhooks.patch', { params: { id }, body: { url } })).rejects.toMatchObject(refusal)
    // As if it had been registered under older rules.
    await server.app.db.transact((tx) =>
      tx.run('UPDATE webhook_endpoints SET url = ? WHERE endpoint_id = ?', [url, id]),
    )
    await publish(server)
    await server.processAll()
    expect(await attempts(id)).toMatchObject([
      { outcome: 'blocked', errorCode: 'BLOCKED_TARGET', error: expect.stringContaining('does not connect to') },
    ])
    expect(dialled).toEqual([])
    await remove(id)
  })

  it.each(malformed)('is refused when it is %s, and says why: %s', async (url, message) => {
    const refusal = { status: 400, details: [{ path: 'url', message }] }
    await expect(create(url)).rejects.toMatchObject(refusal)
    const { id } = await create('https://hooks.example.com/')
    await expect(api.call('webhooks.patch', { params: { id }, body: { url } })).rejects.toMatchObject(refusal)
    await remove(id)
  })

  it.each([['127.0.0.1'], ['::ffff:10.0.0.1'], [publicAddress, '169.254.169.254']])(
    'is not dialled when its name has moved to %s since it was registered',
    async (...moved) => {
      const { id } = await create('https://hooks.example.com/')
      addresses = moved
      await publish(server)
      await server.processAll()
      expect(await attempts(id)).toMatchObject([{ outcome: 'blocked' }])
      expect(dialled).toEqual([])
      // Back at a public address, the next attempt goes there.
      addresses = [publicAddress]
      server.clock.advance(11_000)
      await server.processAll()
      expect(dialled).toEqual([publicAddress])
      expect(await attempts(id)).toMatchObject([
        { outcome: 'blocked', errorCode: 'BLOCKED_TARGET' },
        { outcome: 'network_error', errorCode: expect.any(String) as string, error: expect.any(String) as string },
      ])
      await remove(id)
    },
  )

  it('is refused when its name has a private address among public ones', async () => {
    addresses = [publicAddress, '10.0.0.7']
    await expect(create('https://mixed.example.com/')).rejects.toMatchObject({ status: 400 })
  })
})
