import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { createLiveSocket, type LiveSocket, type LiveSocketOptions } from '../../src/core/session/live-socket.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { until } from '../test-support/until.ts'
import { type RealServer, startRealServer } from './real-server.ts'

let server: RealServer
let live: LiveSocket | undefined

beforeAll(async () => {
  server = await startRealServer()
})
afterEach(() => live?.stop())
afterAll(() => server.remove())

/** A session that somebody joined. */
const join = async (): Promise<{ sessionId: string; token: string }> => {
  const body = { externalId: 'live', config: { capture: { enabled: true } } }
  const { data: session } = await server.api.call('sessions.create', { body })
  const link = { params: { id: session.id }, body: { role: 'candidate' } } as const
  const { data: code } = await server.api.call('sessions.joinLinks.create', link)
  const device = { name: 'test', platform: 'linux', appVersion: '1.0.0' }
  const anonymous = createClient({ baseUrl: server.url })
  const { data } = await anonymous.call('agent.sessions.join', { body: { joinCode: code.joinCode, device } })
  return { sessionId: session.id, token: data.sessionToken }
}

const listen = (entry: { sessionId: string; token: string }, overrides: Partial<LiveSocketOptions> = {}): string[] => {
  const said: string[] = []
  live = createLiveSocket({
    ...entry,
    url: server.url,
    clock: systemClock,
    // A test need not spread out.
    random: () => 0,
    onHello: (version) => said.push(`hello ${version}`),
    onConfigChanged: (version) => said.push(`config ${version}`),
    onWatched: (ms) => said.push(`watched ${ms}`),
    onEnded: () => said.push('ended'),
    onState: (connected) => said.push(connected ? 'connected' : 'disconnected'),
    ...overrides,
  })
  live.start()
  return said
}

const joinAndListen = async () => {
  const entry = await join()
  const said = listen(entry)
  await until('the greeting', () => said.includes('hello 1'))
  return { id: entry.sessionId, said }
}

describe('the live socket of the real server', () => {
  it('tells of a changed policy, and of the end', async () => {
    const { id, said } = await joinAndListen()
    await server.api.call('sessions.patch', { params: { id }, body: { retentionDays: 30 } })
    await until('the change', () => said.includes('config 2'))
    await server.api.call('sessions.end', { params: { id }, body: { reason: 'completed' } })
    await until('the end', () => said.includes('disconnected'))
    expect(said).toEqual(['connected', 'hello 1', 'config 2', 'ended', 'disconnected'])
  })

  it('is back after the server was started anew, and knows the newest policy', async () => {
    const { id, said } = await joinAndListen()
    await server.stop()
    await until('the loss', () => said.includes('disconnected'))
    await server.start()
    await until('the second greeting', () => said.filter((line) => line === 'hello 1').length === 2)
    await server.api.call('sessions.patch', { params: { id }, body: { retentionDays: 40 } })
    await until('the change', () => said.includes('config 2'))
    expect(said).toEqual(['connected', 'hello 1', 'disconnected', 'connected', 'hello 1', 'config 2'])
  })

  it('is given up at once with a token that opens nothing', async () => {
    const { sessionId } = await join()
    let tries = 0
    const waits: number[] = []
    const answered = Promise.withResolvers<number | undefined>()
    const said = listen(
      { sessionId, token: 'sst_of_nobody' },
      {
        clock: {
          ...systemClock,
          sleep: (ms, signal) => {
            waits.push(ms)
            return systemClock.sleep(ms, signal)
          },
        },
        connect: (url, options) => {
          tries += 1
          const socket = new WebSocket(url, options)
          socket.on('unexpected-response', (_request, response) => answered.resolve(response.statusCode))
          return socket
        },
      },
    )
    expect(await answered.promise).toBe(401)
    await live?.stop()
    // The one wait is the watch over the connection: none was for coming back.
    expect([tries, waits.length, said]).toEqual([1, 1, []])
  })
})
