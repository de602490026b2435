import { createClient } from '@integrity/client/every-endpoint'
import { maxAttempts } from '@integrity/protocol'
import type { FreshDatabase } from './databases.ts'
import type { Claimed, ProofType } from './delivery-proof.messages.ts'
import { bulkType, countsOf, failing, type Plan, plans, sharedType, slow } from './delivery-proof.plan.ts'
import { type KillableServer, Killed, startKillable } from './delivery-proof.server.ts'
import { seededRandom } from './proof.ts'
import { type Receipt, type Receivers, startReceivers } from './scripted-receivers.ts'

const startAt = Date.parse('2026-09-04T10:00:00.000Z')
/** Events sent one after the other while a receiver hangs. */
const paced = 50

export interface DeliveryRow {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly status: string
  readonly attemptCount: number
  readonly replayOf: string | null
}
export interface AttemptRow {
  readonly deliveryId: string
  readonly attempt: number
  readonly at: number
  readonly outcome: string
  readonly statusCode: number | null
  readonly excerpt: string | null
}

/** Everything that the run left behind, for the tests to judge. */
export interface Proof {
  readonly plans: Readonly<Record<string, Plan>>
  readonly receivers: Receivers
  /** Ids of events that were acknowledged to the publisher, and of all that are stored. */
  readonly acknowledged: readonly string[]
  readonly events: readonly { readonly id: string; readonly type: ProofType }[]
  readonly deliveries: readonly DeliveryRow[]
  readonly attempts: readonly AttemptRow[]
  /** Claims that a kill cut off. */
  readonly cutOff: readonly Claimed[]
  readonly kills: number
  /** Endpoint ids by name. */
  readonly ids: ReadonlyMap<string, string>
  /** Requests of the hanging receiver that were open before and after the paced part, and what that part measured. */
  readonly hanging: { readonly before: number; readonly after: number; readonly latencies: readonly number[] }
  /** When the endpoint `deleted` was deleted, by the clock of the test. */
  readonly deletedAt: number
  /** How many receipts there were when the clients did their part at the end. */
  readonly replayed: { readonly old: string; readonly fresh: string }
  /** Endpoints as the interface shows them: after the run, and `fails` after it was enabled again. */
  readonly shown: ReadonlyMap<string, { status: string; consecutiveFailures: number }>
  readonly mended: { status: string; consecutiveFailures: number }
}

interface State {
  readonly database: FreshDatabase
  readonly receivers: Receivers
  readonly random: () => number
  readonly cutOff: Claimed[]
  readonly acknowledged: string[]
  /** What makes the next kill happen. */
  readonly triggers: ((receipt: Receipt) => boolean)[]
  now: number
  server: KillableServer
  kills: number
  key: string
  orgId: string
}

const boot = (state: Pick<State, 'database' | 'now'>, first = false): Promise<KillableServer> => {
  const { dataDir, databaseUrl } = state.database
  return startKillable({ now: state.now, dataDir, databaseUrl, patient: first, bootstrap: first })
}

const kill = async (state: State): Promise<void> => {
  state.kills += 1
  await state.server.kill()
}

const revive = async (state: State): Promise<void> => {
  state.server = await boot(state)
  state.cutOff.push(...state.server.hello.cutOff)
}

/** Does it again with a new process as often as it is killed: only for what may be done twice. */
const through = async <T>(state: State, work: (server: KillableServer) => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await work(state.server)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      await revive(state)
    }
  }
}

const rows = <T>(state: State, sql: string): Promise<T[]> =>
  through(state, (server) => server.ask<T[]>({ kind: 'rows', sql }))

/** Publishes until there are so many of the type, whatever happens to the server meanwhile. */
const publishUpTo = async (state: State, type: ProofType, total: number): Promise<void> => {
  for (;;) {
    const found = await rows<{ n: number }>(state, `SELECT count(*) AS n FROM events WHERE type = '${type}'`)
    let left = total - (found[0]?.n ?? 0)
    if (left <= 0) return
    try {
      for (; left > 0; left -= 100) {
        const task = { kind: 'publish', orgId: state.orgId, type, count: Math.min(100, left) } as const
        state.acknowledged.push(...(await state.server.ask<string[]>(task)))
      }
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      await revive(state)
    }
  }
}

/** Lets time go from one due attempt to the next, as the queue itself says, a little late each time. */
const passTime = async (state: State, until = Number.POSITIVE_INFINITY): Promise<void> => {
  for (;;) {
    const next = await through(state, (server) => server.ask<number | null>({ kind: 'until', now: state.now }))
    if (next === null || next > until) return
    state.now = next + Math.floor(state.random() * 0.05 * (next - state.now))
  }
}

const api = (state: State) => createClient({ baseUrl: state.server.hello.url, token: state.key })

const register = async (state: State, planned: Readonly<Record<string, Plan>>): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (const [name, { types }] of Object.entries(planned)) {
    const endpoint = state.receivers.endpoints.get(name)
    if (!endpoint) throw new Error(`no receiver ${name}`)
    const { data } = await api(state).call('webhooks.create', { body: { url: endpoint.url, eventTypes: [...types] } })
    endpoint.secret = data.secret
    ids.set(name, data.id)
  }
  return ids
}

const isWell = (name: string): boolean => name.startsWith('well-')
const wellCount = 6

/** While a receiver hangs, sends one event after the other to those that are well; the process is killed at the end. */
const whileOneHangs = async (state: State): Promise<Proof['hanging']> => {
  const { receivers } = state
  const seen = (enough: () => boolean) =>
    new Promise<void>((resolve) => {
      receivers.onReceipt = () => {
        if (enough()) resolve()
      }
      if (enough()) resolve()
    })
  state.acknowledged.push(
    ...(await state.server.ask<string[]>({ kind: 'publish', orgId: state.orgId, type: slow.type, count: 1 })),
  )
  await seen(() => receivers.open('hangs') === 1)
  const before = receivers.open('hangs')
  const latencies: number[] = []
  for (let n = 0; n < paced; n++) {
    const from = receivers.receipts.length
    const begun = performance.now()
    const [id] = await state.server.ask<string[]>({
      kind: 'publish',
      orgId: state.orgId,
      type: sharedType,
      count: 1,
    })
    state.acknowledged.push(id ?? '')
    const arrived = () =>
      receivers.receipts.slice(from).filter((receipt) => isWell(receipt.endpoint) && receipt.eventId === id)
    await seen(() => arrived().length === wellCount)
    latencies.push(...arrived().map((receipt) => receipt.realAt - begun))
  }
  const after = receivers.open('hangs')
  await kill(state)
  await revive(state)
  return { before, after, latencies }
}

/** Four more kills: three by the number of requests that have come, one among the retries. */
const armKills = (state: State, requests: number): void => {
  const { receivers, random, triggers } = state
  for (const share of [0.15, 0.4, 0.65]) {
    const count = Math.floor((share + random() * 0.15) * requests)
    triggers.push(() => receivers.receipts.length >= count)
  }
  triggers.push((receipt) => receipt.attempt >= 3 && random() < 0.2)
  receivers.onReceipt = (receipt) => {
    if (!triggers[0]?.(receipt)) return
    triggers.shift()
    void kill(state)
  }
}

/** What clients do in the middle: a new secret for one that waits for a retry, and the end of another. */
const inTheMiddle = async (state: State, ids: ReadonlyMap<string, string>): Promise<void> => {
  const id = (name: string) => ({ id: ids.get(name) ?? '' })
  const { data } = await api(state).call('webhooks.rotateSecret', { params: id('fails-twice') })
  const endpoint = state.receivers.endpoints.get('fails-twice')
  if (endpoint) endpoint.secret = data.secret
  await api(state).call('webhooks.delete', { params: id('deleted') })
}

const show = async (state: State, ids: ReadonlyMap<string, string>, name: string) => {
  const { data } = await api(state).call('webhooks.get', { params: { id: ids.get(name) ?? '' } })
  return { status: data.status, consecutiveFailures: data.consecutiveFailures }
}

/** Once the receivers are mended: a dead letter is sent again, and what was held goes on. */
const afterwards = async (state: State, ids: ReadonlyMap<string, string>, healed: Set<string>) => {
  const shown = new Map<string, { status: string; consecutiveFailures: number }>()
  for (const name of ids.keys()) if (name !== 'deleted') shown.set(name, await show(state, ids, name))
  await through(state, (server) => server.ask({ kind: 'jobs' }))
  healed.add('hangs').add('fails')
  const params = { id: ids.get('hangs') ?? '' }
  const { data: log } = await api(state).call('webhooks.deliveries.list', { params, query: { status: 'dead_letter' } })
  const old = log.items[0]?.id ?? ''
  const replayed = await api(state).call('webhooks.deliveries.replay', { params: { ...params, deliveryId: old } })
  await api(state).call('webhooks.patch', { params: { id: ids.get('fails') ?? '' }, body: { status: 'enabled' } })
  await passTime(state)
  return { shown, replayed: { old, fresh: replayed.data.id }, mended: await show(state, ids, 'fails') }
}

/** The whole run. The caller stops the receivers and drops the database. */
export const runProof = async (database: FreshDatabase, events: number, seed: number): Promise<Proof> => {
  const healed = new Set<string>()
  const planned = plans(healed)
  const clock = { now: startAt }
  const script = Object.fromEntries(Object.entries(planned).map(([name, plan]) => [name, plan.move]))
  const endless = new Map([
    ['hangs', maxAttempts],
    ['drips', 2],
  ])
  const receivers = await startReceivers(script, endless, () => clock.now)
  const server = await boot({ database, now: startAt }, true)
  const { org } = server.hello
  const state: State = {
    database,
    receivers,
    server,
    random: seededRandom(seed),
    kills: 0,
    cutOff: [],
    acknowledged: [],
    triggers: [],
    key: org?.sandboxKey ?? '',
    orgId: org?.orgId ?? '',
    get now() {
      return clock.now
    },
    set now(value) {
      clock.now = value
    },
  }
  try {
    const ids = await register(state, planned)
    const hanging = await whileOneHangs(state)
    const counts = countsOf(events, paced)
    armKills(state, counts.requests)
    await publishUpTo(state, failing.type, failing.count)
    await publishUpTo(state, slow.type, slow.count)
    await publishUpTo(state, sharedType, counts.shared)
    await publishUpTo(state, bulkType, counts.bulk)
    // Everything has had its first attempt, nothing its second.
    await passTime(state, state.now + 9000)
    const deletedAt = state.now
    await inTheMiddle(state, ids)
    await passTime(state)
    const end = await afterwards(state, ids, healed)
    const of = `SELECT delivery_id AS id, endpoint_id AS "endpointId", event_id AS "eventId", status,
      attempt_count AS "attemptCount", replay_of AS "replayOf" FROM webhook_deliveries`
    return {
      plans: planned,
      receivers,
      ids,
      hanging,
      deletedAt,
      kills: state.kills,
      ...end,
      acknowledged: state.acknowledged,
      cutOff: state.cutOff,
      events: await rows(state, 'SELECT event_id AS id, type FROM events'),
      deliveries: await rows(state, of),
      attempts: await rows(
        state,
        `SELECT delivery_id AS "deliveryId", attempt, at, outcome, status_code AS "statusCode",
           response_excerpt AS excerpt FROM webhook_attempts ORDER BY delivery_id, attempt`,
      ),
    }
  } finally {
    receivers.onReceipt = () => undefined
    await state.server.kill()
  }
}
