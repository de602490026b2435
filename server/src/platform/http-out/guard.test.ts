import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server } from 'node:net'
import type { buildConnector } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpOut, type HttpOut, type Lookup } from './http-out.ts'

const literals = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://%31%32%37.0.0.1/',
  'https://１２７.0.0.1/',
  'https://0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fd00:ec2::254]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://100.100.100.200/',
  'https://10.0.0.1/',
  'https://localhost/',
  'https://api.localhost./',
  'https://metadata.google.internal/',
  'https://printer.local/',
  // Upper case, other digits and dots, and what a URL parser drops on the way.
  'https://LOCALHOST/',
  'https://LocalHost.:8443/',
  'https://\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54/',
  'https://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/',
  'https://127\u30020\u30020\u30021/',
  'https://127.0.\t0.1/',
  'https:127.0.0.1/',
  'https:\\\\127.0.0.1\\',
  'https://127.0.0.1\\@example.com/',
  'https://0X7F.0X0.0X0.0X1/',
  'https://00000177.1/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::FFFF:127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[2001::1]/',
  'https://[ff02::1]/',
  // A port changes nothing.
  'https://127.0.0.1:8443/',
  'https://[::1]:0/',
  'https://10.0.0.1:65535/',
]

const request = { headers: {}, body: Buffer.from('{}'), timeoutMs: 5000 }

/** Records what would be dialled and refuses, so that a hole in the guard never reaches a real address. */
const recorder = () => {
  const dialled: buildConnector.Options[] = []
  const connector: buildConnector.connector = (options, callback) => {
    dialled.push(options)
    callback(Object.assign(new Error('recorded'), { code: 'ERECORDED' }), null)
  }
  return { dialled, connector }
}

const clients: HttpOut[] = []
const build = (overrides: { lookup?: Lookup; connectBase?: buildConnector.connector; allowPrivate?: boolean }) => {
  const client = createHttpOut({ allowPrivate: false, isInTransaction: () => false, ...overrides })
  clients.push(client)
  return client
}
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

describe('the guard of outgoing requests', () => {
  const publicLookup: Lookup = async () => ['93.184.215.14']

  it.each(literals)('refuses %s when it is registered and when it is posted to, and dials nothing', async (url) => {
    const { dialled, connector } = recorder()
    const client = build({ lookup: publicLookup, connectBase: connector })
    expect(await client.checkTarget(url)).toMatchObject({ ok: false })
    expect(await client.post(url, request)).toMatchObject({ outcome: 'blocked' })
    expect(dialled).toEqual([])
  })

  it.each([
    ['http://example.com/', 'the scheme must be https'],
    ['ftp://example.com/', 'the scheme must be https'],
    ['file:///etc/passwd', 'the scheme must be https'],
    ['https://user:pass@example.com/', 'the URL must not carry credentials'],
    ['https://user@example.com/', 'the URL must not carry credentials'],
    ['https://:pass@example.com/', 'the URL must not carry credentials'],
    ['https://@example.com/', 'the URL must not carry credentials'],
    ['https://example.com@127.0.0.1/', 'the URL must not carry credentials'],
    ['https://127.0.0.1:80@example.com/', 'the URL must not carry credentials'],
    ['https:\\\\@example.com/', 'the URL must not carry credentials'],
    ['https:/\t/@example.com/', 'the URL must not carry credentials'],
    ['HTTP://example.com/', 'the scheme must be https'],
    ['https://example.com/#part', 'the URL must not carry a fragment'],
    ['https://example.com/#', 'the URL must not carry a fragment'],
    ['/relative', 'not an absolute URL'],
  ])('refuses %s: %s', async (url, reason) => {
    const client = build({ lookup: publicLookup, connectBase: recorder().connector })
    expect(await client.checkTarget(url)).toEqual({ ok: false, reason })
    expect(await client.post(url, request)).toMatchObject({
      outcome: 'blocked',
      errorCode: 'BLOCKED_TARGET',
      error: expect.stringContaining(reason),
    })
  })

  it('dials the address it has checked and asks TLS for the name', async () => {
    const { dialled, connector } = recorder()
    const client = build({ lookup: publicLookup, connectBase: connector })
    expect(await client.post('https://hooks.example.com:8443/in', request)).toMatchObject({
      outcome: 'network_error',
      errorCode: 'ERECORDED',
    })
    expect(dialled).toMatchObject([{ hostname: '93.184.215.14', servername: 'hooks.example.com', port: '8443' }])
  })

  it('tries the next address of a name when one cannot be reached', async () => {
    const { dialled, connector } = recorder()
    const client = build({ lookup: async () => ['93.184.215.14', '2606:4700::1111'], connectBase: connector })
    await client.post('https://hooks.example.com/', request)
    expect(dialled.map((options) => options.hostname)).toEqual(['93.184.215.14', '2606:4700::1111'])
  })

  it('refuses a name when one of its addresses is private', async () => {
    const { dialled, connector } = recorder()
    const client = build({ lookup: async () => ['93.184.215.14', '10.0.0.7'], connectBase: connector })
    expect(await client.checkTarget('https://mixed.example.com/')).toMatchObject({ ok: false })
    expect(await client.post('https://mixed.example.com/', request)).toMatchObject({ outcome: 'blocked' })
    expect(dialled).toEqual([])
  })

  it('refuses a delivery to a name that was public when it was registered and is loopback now', async () => {
    const { dialled, connector } = recorder()
    const answers = [['93.184.215.14'], ['127.0.0.1']]
    const client = build({ lookup: async () => answers.shift() ?? [], connectBase: connector })
    expect(await client.checkTarget('https://rebind.example.com/')).toEqual({ ok: true })
    expect(await client.post('https://rebind.example.com/', request)).toMatchObject({ outcome: 'blocked' })
    expect(dialled).toEqual([])
  })

  it('accepts a name that does not resolve at registration and reports a network error at delivery', async () => {
    const lookup: Lookup = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    }
    const client = build({ lookup, connectBase: recorder().connector })
    expect(await client.checkTarget('https://later.example.com/')).toEqual({ ok: true })
    expect(await client.post('https://later.example.com/', request)).toMatchObject({
      outcome: 'network_error',
      errorCode: 'ENOTFOUND',
    })
  })

  it('says nothing about the address it found', async () => {
    const client = build({ lookup: async () => ['10.11.12.13'], connectBase: recorder().connector })
    expect(JSON.stringify(await client.post('https://inside.example.com/', request))).not.toContain('10.11')
  })

  it('refuses to work while a transaction is open', async () => {
    const client = createHttpOut({ allowPrivate: true, isInTransaction: () => true })
    clients.push(client)
    await expect(client.post('https://example.com/', request)).rejects.toThrow('transaction is open')
    await expect(client.checkTarget('https://example.com/')).rejects.toThrow('transaction is open')
  })

  describe('with a socket whose peer is not the address that was asked for', () => {
    let server: Server
    let received = ''
    beforeEach(async () => {
      received = ''
      server = createServer((socket) => {
        socket.on('error', () => undefined)
        socket.on('data', (data) => {
          received += data.toString()
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    })
    afterEach(() => new Promise((resolve) => server.close(resolve)))

    it('refuses after the connection and sends no byte', async () => {
      const { port } = server.address() as AddressInfo
      const client = build({
        lookup: publicLookup,
        connectBase: (_options, callback) => {
          const socket = connect(port, '127.0.0.1', () => callback(null, socket))
        },
      })
      expect(await client.post('https://hooks.example.com/', request)).toMatchObject({ outcome: 'blocked' })
      expect(received).toBe('')
    })
  })
})
