import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpOut } from '../http-out/http-out.ts'
import { callProvider } from '../payments/call-provider.ts'
import { askProvider } from './ask-provider.ts'

const http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
let server: Server
beforeAll(async () => {
  // Never silent, and never done.
  server = createServer((_, res) => {
    res.writeHead(200)
    const trickle = setInterval(() => res.write('.'), 20)
    res.once('close', () => clearInterval(trickle))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  await http.close()
  server.close()
})

const ask = () => ({
  method: 'GET' as const,
  headers: {},
  wholeMs: 300,
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
})

it('a provider whose answer trickles for ever is given up', async () => {
  await expect(askProvider(http, 'Somebody', ask())).rejects.toMatchObject({
    message: 'Somebody cannot be reached: the host did not answer in time',
  })
})

it('a payment provider whose answer trickles for ever is given up, and nobody knows whether it was done', async () => {
  await expect(callProvider(http, 'Somebody', ask())).rejects.toMatchObject({ status: 503, isFinal: false })
})
