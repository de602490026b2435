import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { type ManualClock, manualClock } from '../../../test/test-support/manual-clock.ts'
import { until } from '../../../test/test-support/until.ts'
import { createLiveSocket, type LiveSocket, type LiveSocketOptions } from './live-socket.ts'

/** A server on loopback that accepts sockets, or answers the upgrade otherwise. */
const startServer = async (port = 0) => {
  const upgrades: IncomingMessage[] = []
  const sockets: WebSocket[] = []
  let refusal: string | undefined
  const http = createServer()
  const server = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, socket, head) => {
    upgrades.push(request)
    if (refusal === undefined) server.handleUpgrade(request, socket, head, (accepted) => sockets.push(accepted))
    else socket.end(refusal)
  })
  await new Promise<void>((resolve) => {
    http.listen(port, '127.0.0.1', resolve)
  })
  return {
    upgrades,
    sockets,
    port: (http.address() as AddressInfo).port,
    refuse: (answer: string | undefined) => {
      refusal = answer
    },
    /** The socket of the n-th connection, from 1. */
    socket: async (n: number): Promise<WebSocket> => {
      await until(`connection ${n}`, () => sockets.length >= n)
      return sockets[n - 1]!
    },
    close: async () => {
      for (const socket of sockets) socket.terminate()
      http.closeAllConnections()
      await new Promise((resolve) => {
        http.close(resolve)
      })
    },
  }
}

type Server = Awaited<ReturnType<typeof startServer>>
let server: Server
let clock: ManualClock
let live: LiveSocket | undefined
let said: string[]
/** How long the client wished to wait before it came back; the watch over a connection apart. */
let waits: number[]

const watchMs = 45_000
const recordingClock = (): ManualClock => {
  const manual = manualClock()
  const sleep: ManualClock['sleep'] = (ms, signal) => {
    if (ms !== watchMs) waits.push(ms)
    return manual.sleep(ms, signal)
  }
  return { ...manual, sleep }
}

beforeEach(async () => {
  server = await startServer()
  clock = recordingClock()
  said = []
  waits = []
})
afterEach(async () => {
  await live?.stop()
  live = undefined
  await server.close()
})

const start = (overrides: Partial<LiveSocketOptions> = {}): LiveSocket => {
  live = createLiveSocket({
    url: `http://127.0.0.1:${server.port}/`,
    token: 'sst_secret',
    sessionId: 'ses_1',
    clock,
    random: () => 0.5,
    onHello: (version, at) => said.push(`hello ${version} ${at}`),
    onConfigChanged: (version) => said.push(`config ${version}`),
    onWatched: (ms) => said.push(`watched ${ms}`),
    onEnded: () => said.push('ended'),
    onState: (connected) => said.push(connected ? 'connected' : 'disconnected'),
    ...overrides,
  })
  live.start()
  return live
}

const hello = { type: 'hello', policyVersion: 3, serverTime: '2026-03-02T09:00:00.000Z' }
const send = (socket: WebSocket, message: unknown): void => socket.send(JSON.stringify(message))
const untilSaid = (line: string): Promise<void> => until(line, () => said.includes(line))

/** Waits for the client to wish to come back for the n-th time, and lets that time pass. */
const passWait = async (n: number): Promise<void> => {
  await until(`wait ${n}`, () => waits.length >= n)
  await clock.advance(waits[n - 1]!)
}

describe('a live socket', () => {
  it("comes with the session's token in a header, and tells what the server says", async () => {
    start()
    const socket = await server.socket(1)
    expect(server.upgrades[0]).toMatchObject({ url: '/v1/sessions/ses_1/socket' })
    expect(server.upgrades[0]?.headers).toMatchObject({ authorization: 'Bearer sst_secret' })
    expect(said).toEqual([])
    send(socket, hello)
    send(socket, { type: 'watched', seconds: 90 })
    send(socket, { type: 'config_changed', policyVersion: 4 })
    await untilSaid('config 4')
    expect(said).toEqual(['connected', 'hello 3 2026-03-02T09:00:00.000Z', 'watched 90000', 'config 4'])
  })

  it('passes over what it does not know, and goes on', async () => {
    start()
    const socket = await server.socket(1)
    send(socket, hello)
    send(socket, { type: 'weather', sunny: true })
    send(socket, { type: 'config_changed', policyVersion: 'four' })
    send(socket, null)
    socket.send('<html>')
    socket.send(Buffer.from(JSON.stringify({ type: 'config_changed', policyVersion: 9 })), { binary: true })
    send(socket, { type: 'config_changed', policyVersion: 5 })
    await untilSaid('config 5')
    expect(said.slice(2)).toEqual(['config 5'])
  })

  it('ends for good with the session', async () => {
    start()
    const socket = await server.socket(1)
    send(socket, hello)
    send(socket, { type: 'session_ended' })
    await untilSaid('disconnected')
    expect(said.slice(2)).toEqual(['ended', 'disconnected'])
    await clock.advance(600_000)
    expect(server.upgrades).toHaveLength(1)
  })

  it('closes on a message of more than 4 KiB, and comes back', async () => {
    start()
    const socket = await server.socket(1)
    const closed = new Promise<number>((resolve) => {
      socket.on('close', resolve)
    })
    send(socket, { type: 'config_changed', policyVersion: 4, padding: 'x'.repeat(4096) })
    expect(await closed).toBe(1009)
    await passWait(1)
    await server.socket(2)
    expect(said).toEqual([])
  })

  it('says nothing more once it is stopped, and leaves no connection', async () => {
    const one = start()
    const socket = await server.socket(1)
    send(socket, hello)
    await untilSaid('connected')
    const closed = new Promise((resolve) => {
      socket.on('close', resolve)
    })
    const stopping = one.stop()
    send(socket, { type: 'config_changed', policyVersion: 4 })
    await stopping
    await closed
    expect(said).toHaveLength(2)
    await clock.advance(600_000)
    expect(server.upgrades).toHaveLength(1)
  })

  it('can be stopped while it waits to come back, before it was started, and twice', async () => {
    const one = start()
    ;(await server.socket(1)).terminate()
    await one.stop()
    await one.stop()
    await clock.advance(600_000)
    expect(server.upgrades).toHaveLength(1)
    await createLiveSocket({ ...options(), url: 'http://127.0.0.1:1' }).stop()
  })
})

const options = (): LiveSocketOptions => ({
  url: '',
  token: '',
  sessionId: 'ses_1',
  clock,
  random: () => 0.5,
  onHello: () => undefined,
  onConfigChanged: () => undefined,
  onWatched: () => undefined,
  onEnded: () => undefined,
  onState: () => undefined,
})

describe('a live socket that is closed', () => {
  it('stops for good when its token is over, at the upgrade and later', async () => {
    start()
    const socket = await server.socket(1)
    send(socket, hello)
    await untilSaid('connected')
    socket.close(4401)
    await untilSaid('disconnected')
    await clock.advance(600_000)
    expect(server.upgrades).toHaveLength(1)

    server.refuse('HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n')
    start()
    await until('the refusal', () => server.upgrades.length === 2)
    await live?.stop()
    await clock.advance(600_000)
    expect(server.upgrades).toHaveLength(2)
  })

  it('comes back within ten seconds of a restart, each agent at a time of its own', async () => {
    const restarts: (number | undefined)[] = []
    for (const share of [0.1, 0.9]) {
      const before = server.upgrades.length
      waits = []
      start({ random: () => share })
      ;(await server.socket(before + 1)).close(1012)
      await passWait(1)
      await server.socket(before + 2)
      restarts.push(waits[0])
      await live?.stop()
    }
    expect(restarts).toEqual([1000, 9000])
  })

  it('waits longer after each failure, up to a minute, and starts over after a good connection', async () => {
    const page = '<!doctype html><title>Sign in to the network</title>'
    server.refuse(
      `HTTP/1.1 401 Unauthorized\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`,
    )
    start({ random: () => 1 })
    for (let n = 1; n <= 8; n += 1) await passWait(n)
    expect(waits.slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    server.refuse(undefined)
    await passWait(9)
    const short = await server.socket(1)
    send(short, hello)
    await untilSaid('connected')
    short.terminate()
    await passWait(10)
    const good = await server.socket(2)
    send(good, hello)
    for (const version of [4, 5]) {
      await clock.advance(40_000)
      send(good, { type: 'config_changed', policyVersion: version })
      await untilSaid(`config ${version}`)
    }
    good.terminate()
    await passWait(waits.length + 1)
    // A server that greets and falls over at once is not a good connection.
    expect(waits[9]).toBe(60_000)
    expect(waits.at(-1)).toBe(1000)
  })

  it('waits as long as a server asks that takes no more sockets', async () => {
    server.refuse('HTTP/1.1 503 Full\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n')
    start()
    await until('the wait', () => waits.length === 1)
    expect(waits[0]).toBe(30_500)
  })

  it('comes back to a server that was away', async () => {
    start()
    send(await server.socket(1), hello)
    await untilSaid('connected')
    const { port } = server
    await server.close()
    await untilSaid('disconnected')
    await passWait(1)
    await until('a try in vain', () => waits.length === 2)
    server = await startServer(port)
    await passWait(2)
    send(await server.socket(1), { ...hello, policyVersion: 8 })
    await untilSaid('hello 8 2026-03-02T09:00:00.000Z')
    expect(said.filter((line) => line === 'connected')).toHaveLength(2)
  })

  it('tries on when it cannot even be opened', async () => {
    let tries = 0
    start({
      connect: () => {
        tries += 1
        throw new Error('refused')
      },
    })
    await passWait(1)
    await passWait(2)
    await until('three tries', () => tries === 3)
  })
})

describe('a connection that nothing is heard of', () => {
  it('is dead after 45 seconds without a ping, and opened again', async () => {
    start()
    const socket = await server.socket(1)
    send(socket, hello)
    await untilSaid('connected')
    await clock.advance(44_999)
    expect(said).not.toContain('disconnected')
    await clock.advance(1)
    await untilSaid('disconnected')
    await passWait(1)
    await server.socket(2)
  })

  it('lives as long as the server pings', async () => {
    start()
    const socket = await server.socket(1)
    send(socket, hello)
    await untilSaid('connected')
    for (let i = 0; i < 4; i += 1) {
      await clock.advance(40_000)
      const answered = new Promise((resolve) => {
        socket.once('pong', resolve)
      })
      socket.ping()
      await answered
    }
    expect(said).not.toContain('disconnected')
    expect(server.upgrades).toHaveLength(1)
  })

  it('is dead too when the upgrade itself is never answered', async () => {
    const held = createServer()
    held.on('upgrade', () => server.upgrades.push({} as IncomingMessage))
    await new Promise<void>((resolve) => {
      held.listen(0, '127.0.0.1', resolve)
    })
    try {
      start({ url: `http://127.0.0.1:${(held.address() as AddressInfo).port}` })
      await until('the first try', () => server.upgrades.length === 1)
      await clock.advance(watchMs)
      await passWait(1)
      await until('the second try', () => server.upgrades.length === 2)
    } finally {
      await live?.stop()
      held.closeAllConnections()
      held.close()
    }
  })
})
