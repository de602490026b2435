import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client } from '@integrity/client/every-endpoint'
import { type EndpointMap, type ResultOf, retryWaitsSeconds } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import { createManualClock, type ManualClock } from '../../src/platform/manual-clock.test-support.ts'
import { everyEngine } from './engines.ts'
import { startServer, type TestServer } from './server.ts'
import { type Received, type Receiver, startReceiver } from './webhook-receiver.ts'

type Endpoint = ResultOf<EndpointMap['webhooks.get']>

/** A server, a receiver, and what tests of deliveries do with them. Endpoints and receivers go after each test. */
export interface DeliveryBench {
  readonly server: TestServer
  /** Begins at the real time, with which the public verifiers compare. */
  readonly clock: ManualClock
  readonly receiver: Receiver
  /** The first organisation's sandbox key. */
  readonly api: Client
  newReceiver(): Promise<Receiver>
  /** An endpoint for every type. */
  create(to?: Receiver): Promise<Endpoint & { secret: string }>
  get(id: string): Promise<Endpoint>
  log(id: string): Promise<ResultOf<EndpointMap['webhooks.deliveries.list']>['items']>
  setStatus(id: string, status: 'enabled' | 'disabled'): Promise<unknown>
  /** Messages in the outbox of mail, headers and decoded text. */
  mails(): Promise<string[]>
  /** Lets every retry of the schedule come and go. */
  exhaust(): Promise<void>
}

export const header = (request: Received | undefined, name: string): string => String(request?.headers[name])

interface State {
  server: TestServer
  clock: ManualClock
  receiver: Receiver
  api: Client
  made: string[]
  receivers: Receiver[]
}

const benchOf = (state: State): DeliveryBench => ({
  get server() {
    return state.server
  },
  get clock() {
    return state.clock
  },
  get receiver() {
    return state.receiver
  },
  get api() {
    return state.api
  },
  async newReceiver() {
    const started = await startReceiver(() => state.clock.now())
    state.receivers.push(started)
    return started
  },
  async create(to = state.receiver) {
    const { data } = await state.api.call('webhooks.create', { body: { url: to.url, eventTypes: ['*'] } })
    state.made.push(data.id)
    return data
  },
  get: async (id) => (await state.api.call('webhooks.get', { params: { id } })).data,
  log: async (id) =>
    (await state.api.call('webhooks.deliveries.list', { params: { id }, query: { limit: 100 } })).data.items,
  setStatus: (id, status) => state.api.call('webhooks.patch', { params: { id }, body: { status } }),
  async mails() {
    const dir = path.join(state.server.app.config.dataDir, 'outbox')
    const names = await readdir(dir).catch((): string[] => [])
    const texts = await Promise.all(names.sort().map((name) => readFile(path.join(dir, name), 'utf8')))
    return texts.map((text) => `${text}\n${Buffer.from(text.split('\r\n\r\n')[1] ?? '', 'base64').toString('utf8')}`)
  },
  async exhaust() {
    await state.server.processAll()
    for (const seconds of retryWaitsSeconds) {
      state.clock.advance(seconds * 1100)
      await state.server.processAll()
    }
  },
})

/** Runs the suite on each engine, with one server for all its tests. */
export const describeDeliveries = (title: string, suite: (bench: DeliveryBench) => void): void => {
  for (const engine of everyEngine())
    describe(`${title} (${engine})`, () => {
      const state = { made: [], receivers: [] } as unknown as State
      const bench = benchOf(state)
      beforeAll(async () => {
        state.clock = createManualClock(Date.now())
        state.server = await startServer({ engine, overrides: { clock: state.clock } })
        state.api = state.server.client(state.server.orgs[0].sandboxKey)
      })
      beforeEach(async () => {
        state.receiver = await bench.newReceiver()
      })
      afterEach(async () => {
        const ids = state.made.splice(0)
        for (const id of ids) await state.api.call('webhooks.delete', { params: { id } }).catch(() => undefined)
        await Promise.all(state.receivers.splice(0).map((one) => one.stop()))
      })
      afterAll(() => state.server.stop())
      suite(bench)
    })
}
