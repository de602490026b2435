import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { until } from '../../../test/test-support/until.ts'
import { createManualClock, type ManualClock } from '../manual-clock.test-support.ts'
import type { LiveConnection } from './live-connection.ts'
import { createSocketHub, type SocketHub, type SocketHubOptions, UpgradeError } from './socket-hub.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

interface Bench {
  readonly clock: ManualClock
  readonly hub: SocketHub
  readonly port: number
  /** Opens a socket of a group; the path is the group. */
  readonly open: (group?: string, options?: WebSocket.ClientOptions) => Promise<Opened>
  /** What the last refused upgrade was refused with. */
  readonly refused: () => UpgradeError | undefined
}
interface Opened {
  readonly client: WebSocket
  readonly connection: LiveConnection
  readonly closed: Promise<[code: number, reason: string]>
}

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const startBench = async (options: Partial<SocketHubOptions> = {}): Promise<Bench> => {
  const clock = createManualClock()
  const hub = createSocketHub({ clock, ...options })
  const accepted: LiveConnection[] = []
  let refusal: UpgradeError | undefined
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    try {
      accepted.push(hub.accept(request, socket, head, request.url ?? ''))
    } catch (error) {
      if (!(error instanceof UpgradeError)) throw error
      refusal = error
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    }
  })
  const port = await listening(server)
  closers.push(() => {
    void hub.close({ withinMs: 0 })
    server.close()
  })
  return {
    clock,
    hub,
    port,
    refused: () => refusal,
    async open(group = 'a', clientOptions = {}) {
      const client = new WebSocket(`ws://127.0.0.1:${port}/${group}`, clientOptions)
      closers.push(() => client.terminate())
      const closed = new Promise<[number, string]>((resolve) => {
        client.once('close', (code, reason) => resolve([code, reason.toString()]))
      })
      await once(client, 'open')
      return { client, connection: accepted.at(-1) as LiveConnection, closed }
    },
  }
}

const over = (connection: LiveConnection): Promise<void> =>
  new Promise((resolve) => {
    if (connection.ended.aborted) resolve()
    connection.ended.addEventListener('abort', () => resolve(), { once: true })
  })

describe('a live socket', () => {
  it('carries what the server says, whole and in order', async () => {
    const { open } = await startBench()
    const { client, connection } = await open()
    const seen: string[] = []
    const third = new Promise<void>((resolve) => {
      client.on('message', (data: Buffer) => {
        seen.push(data.toString())
        if (seen.length === 3) resolve()
      })
    })
    for (const text of ['one', 'zwei ü', 'three']) connection.send(text)
    await third
    expect(seen).toEqual(['one', 'zwei ü', 'three'])
  })

  it('ends with 1008 at the first word of the client, and with 1009 at one that is too large', async () => {
    const { open } = await startBench()
    for (const [said, code] of [
      ['', 1008],
      ['{"type":"hello"}', 1008],
      [Buffer.alloc(1024), 1008],
      [Buffer.alloc(1025), 1009],
    ] as const) {
      const { client, closed, connection } = await open()
      client.send(said)
      expect((await closed)[0]).toBe(code)
      await over(connection)
    }
  })

  it('survives what is no frame: that socket alone is closed', async () => {
    const { open, hub } = await startBench()
    const [broken, sound] = [await open('a'), await open('b')]
    // A frame of a reserved opcode, unmasked.
    ;(broken.client as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(Buffer.from([0x83, 0x00]))
    expect((await broken.closed)[0]).toBe(1002)
    await over(broken.connection)
    expect(hub.size).toBe(1)
    sound.connection.send('still there')
    expect(String(((await once(sound.client, 'message')) as [Buffer])[0])).toBe('still there')
  })
})

describe('the pings', () => {
  it('keep a socket that answers, however long', async () => {
    const { open, clock, hub } = await startBench()
    const heard: number[] = []
    hub.onRound((connections) => heard.push(connections.length))
    const { connection } = await open()
    for (let round = 0; round < 5; round++) {
      await clock.asleep(1)
      clock.advance(15_000)
      await until(() => heard.length === round + 1 && connection.unanswered === 0)
    }
    expect(heard).toEqual([1, 1, 1, 1, 1])
    expect(hub.size).toBe(1)
  })

  it('cut a socket that leaves two of them unanswered, and then stop, as there is none left', async () => {
    const { open, clock, hub } = await startBench()
    const rounds: number[] = []
    hub.onRound((connections) => rounds.push(connections.length))
    const { connection, closed } = await open('a', { autoPong: false })
    for (let round = 0; round < 3; round++) {
      expect(connection.ended.aborted).toBe(false)
      await clock.asleep(1)
      clock.advance(15_000)
    }
    await over(connection)
    expect((await closed)[0]).toBe(1006)
    // Just opened counts as heard, silence does not.
    expect(rounds).toEqual([1, 0, 0])
    expect(hub.size).toBe(0)
    expect(clock.sleeping).toBe(0)
  })
})

describe('the limits', () => {
  it('let the newest socket of a group take the place of the oldest', async () => {
    const { open, hub } = await startBench()
    const [first, second] = [await open('a'), await open('a')]
    const other = await open('b')
    const third = await open('a')
    expect(await first.closed).toEqual([1008, 'a newer socket took its place'])
    expect(hub.size).toBe(3)
    for (const { connection } of [second, other, third]) expect(connection.ended.aborted).toBe(false)
  })

  it('refuse a socket beyond what the process holds, and take one again when one has left', async () => {
    const { open, hub, refused } = await startBench({ maxSockets: 2 })
    const first = await open('a')
    await open('b')
    await expect(open('c')).rejects.toThrow('503')
    expect(refused()?.reason).toBe('full')
    first.client.close()
    await over(first.connection)
    await open('c')
    expect(hub.size).toBe(2)
  })

  it('refuse what is no handshake', async () => {
    const { port, refused } = await startBench()
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    let answer = ''
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString()
    })
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 503/)
    expect(refused()?.reason).toBe('handshake')
  })
})

describe('closing', () => {
  it('tells every client to come back, and takes no more', async () => {
    const { open, hub, refused } = await startBench()
    const sockets = [await open('a'), await open('b')]
    await hub.close({ withinMs: 1000 })
    for (const { closed } of sockets) expect(await closed).toEqual([1012, 'the server restarts'])
    expect(hub.size).toBe(0)
    await expect(open('a')).rejects.toThrow('503')
    expect(refused()?.reason).toBe('closing')
  })

  it('cuts a client that does not answer', async () => {
    const { open, hub } = await startBench()
    const { client, closed } = await open()
    client.pause()
    await hub.close({ withinMs: 0 })
    client.resume()
    expect([1006, 1012]).toContain((await closed)[0])
    expect(hub.size).toBe(0)
  })
})
