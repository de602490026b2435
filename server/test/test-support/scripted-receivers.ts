import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tlsCertificate, tlsKey } from '../../src/platform/http-out/tls-fixture.test-support.ts'

/** What a receiver does with one request. */
export type Move =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Never answers. */
  | 'hang'
  /** Cuts the connection when the headers have come. */
  | 'reset before the body'
  /** Takes the whole request and cuts the connection instead of answering. */
  | 'reset after the body'
  /** Answers 200 with the first half of a body, then cuts. */
  | 'reset in the answer'
  /** Answers 200 with a byte every 20 ms that never ends. */
  | 'drip'
  /** Answers 200 with 50 MB. */
  | 'flood'

/** One request as it came in. */
export interface Receipt {
  readonly endpoint: string
  readonly deliveryId: string
  readonly eventId: string
  readonly attempt: number
  /** By the clock of the test, epoch milliseconds. */
  readonly at: number
  /** Real milliseconds, for figures only. */
  readonly realAt: number
  /** What is wrong with its signatures, timestamps or body; empty when nothing is. */
  readonly faults: readonly string[]
}

export interface ScriptedEndpoint {
  readonly name: string
  readonly url: string
  /** Set once the endpoint is registered; a rotation replaces it. */
  secret: string
  /** Bytes written to answers that a receiver tried to send whole. */
  readonly flooded: number[]
}

export interface Receivers {
  readonly endpoints: ReadonlyMap<string, ScriptedEndpoint>
  readonly receipts: Receipt[]
  /** Requests that redirects would have led to. */
  readonly strayed: string[]
  /** Called for each receipt, after it was kept. */
  onReceipt: (receipt: Receipt) => void
  /** Requests of that endpoint that are open and unanswered. */
  open(name: string): number
  stop(): Promise<void>
}

export type Script = Readonly<Record<string, (attempt: number, now: number) => Move>>
/** Real milliseconds after which those that never answer are given up: sockets do not know the clock of a test. */
const patienceMs = 300

const equal = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Checks a request as its consumer should: both signatures over the raw bytes, the time, the id that it carries. */
const faultsOf = (request: IncomingMessage, body: Buffer, secret: string, now: number): string[] => {
  const field = (name: string) => String(request.headers[name])
  const seconds = Math.floor(now / 1000)
  const own = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
  const standard = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${field('x-service-event-id')}.${seconds}.`)
    .update(body)
    .digest('base64')
  const checks: readonly [boolean, string][] = [
    [equal(field('x-service-signature'), `t=${seconds},v1=${own}`), 'its signature or its time'],
    [equal(field('webhook-signature'), `v1,${standard}`), 'its standard signature'],
    [field('webhook-timestamp') === String(seconds), 'its standard time'],
    [field('webhook-id') === field('x-service-event-id'), 'its standard id'],
    [
      body
        .subarray(0, 60)
        .toString()
        .startsWith(`{"id":"${field('x-service-event-id')}"`),
      'the id in its body',
    ],
  ]
  return checks.filter(([right]) => !right).map(([, what]) => what)
}

const drip = (response: ServerResponse): void => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 20)
  response.once('close', () => clearInterval(timer))
}

const flood = (response: ServerResponse, flooded: number[]): void => {
  const block = Buffer.alloc(256 * 1024, 'x')
  const { socket } = response
  let left = 200
  const push = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!response.write(block)) {
        response.once('drain', push)
        return
      }
    }
    if (!response.destroyed) response.end()
  }
  response.once('close', () => flooded.push(socket?.bytesWritten ?? 0))
  push()
}

const perform = (move: Move, response: ServerResponse, flooded: number[]): void => {
  if (move === 'hang') return
  if (move === 'drip') drip(response)
  else if (move === 'flood') flood(response, flooded)
  else if (move === 'reset in the answer') {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.socket?.resetAndDestroy())
  } else if (typeof move === 'string') response.socket?.resetAndDestroy()
  else response.writeHead(move.status, move.headers).end(move.status === 204 ? undefined : 'noted')
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** One real server on 127.0.0.1 for each endpoint of the script; those in `endless` do not end their answers to so many attempts; names that begin with `bad-tls` show a certificate of nobody. */
export const startReceivers = async (
  script: Script,
  endless: ReadonlyMap<string, number>,
  now: () => number,
): Promise<Receivers> => {
  const servers: Server[] = []
  const endpoints = new Map<string, ScriptedEndpoint>()
  const openRequests = new Map<string, Set<ServerResponse>>()
  const receivers: Receivers = {
    endpoints,
    receipts: [],
    strayed: [],
    onReceipt: () => undefined,
    open: (name) => openRequests.get(name)?.size ?? 0,
    stop: async () => {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }

  const handlerOf = (name: string, decide: Script[string]): RequestListener => {
    const open = new Set<ServerResponse>()
    openRequests.set(name, open)
    return (request, response) => {
      if (!request.url?.startsWith('/hook')) receivers.strayed.push(`${name}${request.url}`)
      open.add(response)
      response.once('close', () => open.delete(response))
      const attempt = Number(request.headers['x-service-delivery-attempt'])
      const move = decide?.(attempt, now()) ?? 'hang'
      const endpoint = endpoints.get(name)
      const keep = (faults: string[]): void => {
        const id = (header: string) => String(request.headers[header])
        const [deliveryId, eventId] = [id('x-service-delivery-id'), id('x-service-event-id')]
        const receipt = { endpoint: name, deliveryId, eventId, attempt, at: now(), realAt: performance.now(), faults }
        receivers.receipts.push(receipt)
        receivers.onReceipt(receipt)
      }
      if (move === 'reset before the body') {
        keep([])
        perform(move, response, [])
        return
      }
      const chunks: Buffer[] = []
      request.on('error', () => undefined)
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        keep(faultsOf(request, Buffer.concat(chunks), endpoint?.secret ?? '', now()))
        perform(move, response, endpoint?.flooded ?? [])
      })
    }
  }

  for (const [name, decide] of Object.entries(script)) {
    const tls = name.startsWith('bad-tls')
    const handler = handlerOf(name, decide)
    const server = tls ? createTlsServer({ key: tlsKey, cert: tlsCertificate }, handler) : createServer(handler)
    servers.push(server)
    const attempts = endless.get(name)
    const query = attempts === undefined ? '' : `?patience=${patienceMs}&attempts=${attempts}`
    const url = `${tls ? 'https' : 'http'}://127.0.0.1:${await listen(server)}/hook${query}`
    endpoints.set(name, { name, url, secret: '', flooded: [] })
  }
  return receivers
}
