import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FrozenProxy, startFrozenProxy } from '../../../../test/test-support/frozen-proxy.ts'
import { type S3Double, startS3Double } from '../../../../test/test-support/s3-double.ts'
import { until } from '../../../../test/test-support/until.ts'
import type { HttpOut } from '../../http-out/http-out.ts'
import { Pulse } from '../../pulse.ts'
import { pieces, readWhole } from '../place.conformance.ts'
import { silentProvider } from './remote.request.ts'
import { RemoteStore } from './remote.store.ts'
import { openHttp } from './remote.test-support.ts'
import { S3Bucket } from './s3.bucket.ts'

interface Opened {
  readonly bucket: S3Bucket
  readonly pulse: Pulse
  /** What was sent there, and what only asked whether anybody is there. */
  readonly sent: { asks: number; pulses: number }
  /** Silences that began (true) and ended. */
  readonly told: boolean[]
}

let http: HttpOut
const ends: (() => Promise<unknown>)[] = []
beforeEach(() => {
  http = openHttp()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await http.close()
})

const open = (endpoint: string, times: { answerMs: number; forgetMs?: number }): Opened => {
  const place = { endpoint, bucket: 'evidence', region: 'us-east-1', pathStyle: true }
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const sent = { asks: 0, pulses: 0 }
  const counted: Pick<HttpOut, 'request'> = {
    request: (url, ask) => {
      sent[ask.apart === true ? 'pulses' : 'asks'] += 1
      return http.request(url, ask)
    },
  }
  const options = { http: counted, now: () => Date.now(), retryMs: 0, silenceMs: 60_000 }
  const told: boolean[] = []
  const pulse = new Pulse({
    ...times,
    suspectMs: 1,
    ask: (signal) => new S3Bucket({ ...place, ...credentials }, options).answers(signal),
    failure: silentProvider,
    onChange: (isSilent) => void told.push(isSilent),
  })
  ends.unshift(async () => pulse.close())
  return { bucket: new S3Bucket({ ...place, ...credentials }, { ...options, pulse }), pulse, sent, told }
}

const silent = expect.objectContaining({ code: 'unreachable', message: 'the provider does not answer' })

describe('a bucket that takes connections and says nothing', () => {
  let double: S3Double
  let proxy: FrozenProxy
  beforeEach(async () => {
    double = await startS3Double()
    const { hostname, port } = new URL(double.endpoint)
    proxy = await startFrozenProxy({ host: hostname, port: Number(port) })
    ends.push(
      () => proxy.close(),
      () => double.stop(),
    )
  })
  const opened = (more: { forgetMs?: number } = {}) =>
    open(`http://127.0.0.1:${proxy.port}`, { answerMs: 300, ...more })

  it('is found out once by all who wait, refuses whoever comes then without asking, and is found again', async () => {
    const { bucket, pulse, sent, told } = opened()
    const store = new RemoteStore(bucket, '')
    const bytes = randomBytes(3_000_000)
    await store.put('org_a/obj_1', pieces(bytes, 300_000), { size: bytes.length })
    const reader = await store.open('org_a/obj_1')
    await reader.read(0, 1000)

    proxy.freeze()
    const put = (name = 'obj_2') => store.put(`org_a/${name}`, pieces(bytes, 300_000), { size: bytes.length })
    const waiting = await Promise.allSettled([
      put(),
      store.exists('org_a/obj_1'),
      store.list('org_a', { limit: 10 }),
      store.open('org_a/obj_1'),
      // In the middle of an object: what has come is there, the rest is not.
      reader.read(1000, bytes.length),
    ])
    expect(waiting).toEqual(waiting.map(() => ({ status: 'rejected', reason: silent })))
    expect([pulse.isSilent, told]).toEqual([true, [true]])

    const { asks } = sent
    for (let n = 0; n < 20; n += 1) await expect(put()).rejects.toEqual(silent)
    expect(sent.asks).toBe(asks)

    proxy.thaw()
    await until(() => !pulse.isSilent)
    expect(told).toEqual([true, false])
    // What was refused may have come there all the same; another name tells.
    await put('obj_3')
    expect((await readWhole(store, 'org_a/obj_3')).equals(bytes)).toBe(true)
    expect((await reader.read(2_000_000, 10)).equals(bytes.subarray(2_000_000, 2_000_010))).toBe(true)
    await reader.close()
  })

  it('is left alone when nobody comes any more, and tried by the next one', async () => {
    const { bucket, pulse, sent } = opened({ forgetMs: 400 })
    proxy.freeze()
    await expect(bucket.head('a')).rejects.toEqual(silent)
    await until(() => !pulse.isSilent)
    const { asks } = sent
    await expect(bucket.head('a')).rejects.toEqual(silent)
    expect(sent.asks).toBe(asks + 1)
  })

  it('is no bucket that is slow with one answer and gives others', async () => {
    const { bucket, told, sent } = opened()
    const over = Promise.withResolvers<undefined>()
    double.fault = ({ method }) => (method === 'PUT' ? over.promise : undefined)
    const put = bucket.put('slow', Buffer.from('x'), { putId: 'x', exclusive: true })
    // It is asked for the second time, so the first answer was one.
    await until(() => sent.pulses === 2)
    over.resolve(undefined)
    expect([await put, told, sent.asks]).toEqual(['stored', [], 1])
  })

  it('is no bucket that answers others while one waits, though nobody answers the pulse', async () => {
    const { bucket, told, sent } = opened()
    const over = Promise.withResolvers<undefined>()
    double.fault = ({ method, path }) =>
      path.endsWith('/pulse') ? 'hang' : method === 'PUT' ? over.promise : undefined
    const put = bucket.put('slow', Buffer.from('x'), { putId: 'x', exclusive: true })
    while (sent.pulses < 2) {
      await bucket.head('a')
      await delay(10)
    }
    over.resolve(undefined)
    expect([await put, told]).toEqual(['stored', []])
  })
})

/** An HTTP server that never answers a pulse. */
const listen = async (answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>): Promise<string> => {
  const server: Server = createServer((req, res) => {
    if (req.method !== 'HEAD') void answer(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a body that goes on', () => {
  it('is not cut on its way here, though nobody answers the pulse', async () => {
    const bytes = randomBytes(64_000)
    const endpoint = await listen(async (_, res) => {
      res.writeHead(206, { 'content-length': bytes.length, 'content-range': `bytes 0-63999/${bytes.length}` })
      for (let at = 0; at < bytes.length; at += 2000) {
        res.write(bytes.subarray(at, at + 2000))
        await delay(50)
      }
      res.end()
    })
    const { bucket, sent } = open(endpoint, { answerMs: 400 })
    const reader = await new RemoteStore(bucket, '').open('org_a/obj_1')
    expect((await reader.read(0, bytes.length)).equals(bytes)).toBe(true)
    await reader.close()
    // It was asked meanwhile, in vain.
    expect(sent.pulses).toBeGreaterThan(0)
  })

  it('is not cut on its way there, though nobody answers the pulse', async () => {
    const mib = 1024 * 1024
    const bytes = randomBytes(32 * mib)
    let length = 0
    const read = async (req: IncomingMessage) => {
      let next = mib
      for await (const piece of req as AsyncIterable<Buffer>) {
        length += piece.length
        if (length < next) continue
        next += mib
        await delay(50)
      }
    }
    const endpoint = await listen(async (req, res) => {
      await read(req)
      res.end()
    })
    const { bucket, sent } = open(endpoint, { answerMs: 500 })
    expect(await bucket.put('large', bytes, { putId: 'x', exclusive: true })).toBe('stored')
    expect([length, sent.asks]).toEqual([bytes.length, 1])
    expect(sent.pulses).toBeGreaterThan(0)
  })
})
