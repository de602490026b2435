import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@integrity/client/every-endpoint'
import { aidObservers, aidText, integrityEventKinds } from '@integrity/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { requestLink } from '../../../server/test/test-support/candidate-requests.ts'
import { portalCookie } from '../../../server/test/test-support/portal.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { ScriptedLanes } from '../../src/core/session/test-support/scripted-lanes.ts'
import { fileKeyStore } from '../../src/core/spool/key-store.ts'
import { Spool } from '../../src/core/spool/spool.ts'
import { MachineObservers } from '../../src/machine/adapters/machine-observers.ts'
import type { HelperTopic } from '../../src/machine/desktop-helper/helper-lines.ts'
import { ManualClock } from '../../src/shared/test-support/manual-clock.ts'
import { until } from '../test-support/until.ts'
import { DesktopOnServer } from './desktop-on-server.ts'
import { picture, wave } from './synthetic-capture.ts'

const minute = 60_000
const offered = ['on_screen_keyboard', 'breaks'] as const
const breaks = { count: 2, minutes: 5 }

let server: TestServer
let clock: ManualClock
let desktop: DesktopOnServer
/** The kinds of the events that went over the wire. */
const sent: string[] = []

beforeEach(async () => {
  server = await startServer()
  clock = new ManualClock(server.clock.now())
  desktop = await DesktopOnServer.make({ url: server.url, api: api() })
  sent.length = 0
  lanes = undefined
  held = true
})
afterEach(async () => {
  await desktop?.remove()
  await server?.stop()
})

const api = () => server.client(server.orgs[0].sandboxKey)
const scope = () => ({ orgId: server.orgs[0].orgId, environment: 'sandbox' as const })

let calls = 0
let lanes: ScriptedLanes | undefined
/** Events do not reach the service. */
let held = false
/** The same time passes for the service and for the computer, and none while a call or a delivery is under way. */
const pass = async (ms: number): Promise<void> => {
  for (let left = ms; left > 0; left -= 1000) {
    server.clock.advance(1000)
    clock.advance(1000)
    do {
      await delay(1)
      await lanes?.delivered()
    } while (calls > 0)
  }
}

/** A computer on which nobody has typed for two minutes, and one window is left out of recordings. */
const states: Partial<Record<HelperTopic, unknown>> = {
  foreground: { application: 'Notes', title: null },
  idle: { ms: 2 * minute },
  windows: { excluded: [{ key: 'w1', application: 'Keyboard', x: 0, y: 0, width: 400, height: 200 }] },
}
const helper = {
  probe: async () => ({ status: 'observable' as const }),
  source: (topic: HelperTopic) => async (see: (state: never) => void, signal: AbortSignal) => {
    if (topic in states) see(states[topic] as never)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  },
}

const kindsOf = (body: unknown): string[] =>
  typeof body === 'string' ? [...body.matchAll(/"kind":"([a-z_.]+)"/g)].map(([, kind = '']) => kind) : []

/** What Node says of its own time is this machine's. */
const withoutDate = ({ body, status, headers: given }: Response): Response => {
  const headers = new Headers(given)
  headers.delete('date')
  return new Response(body, { status, headers })
}
const callService = async (url: string, init: RequestInit): Promise<Response> => {
  if (held && url.endsWith('/events')) throw new TypeError('fetch failed')
  sent.push(...kindsOf(init.body))
  calls += 1
  const answer = await fetch(url, init).finally(() => {
    calls -= 1
  })
  return withoutDate(answer)
}

/** Real lanes over made-up drivers, and the real observers of this computer. */
const parts = () => {
  lanes = new ScriptedLanes({
    clock,
    random: () => 0.3,
    pieceMs: 10_000,
    sound: () => ({ contentType: 'audio/wav', bytes: wave() }),
    picture: async () => ({ contentType: 'image/webp', bytes: await picture() }),
  })
  const observers = new MachineObservers(clock, { platform: 'win32', helper })
  return { clock, observers, capture: lanes, fetchFor: () => callService }
}

/** Time passes until something is done. */
const besides = async <T>(work: Promise<T>): Promise<T> => {
  let done = false
  const ended = work.finally(() => {
    done = true
  })
  await Promise.allSettled([
    ended,
    (async () => {
      while (!done) await pass(1000)
    })(),
  ])
  return ended
}

const spooledKinds = async (): Promise<string[]> => {
  const spool = await Spool.open({ dir: `${desktop.folder}/spool`, keyStore: fileKeyStore(desktop.folder), clock })
  const kinds = spool.nextEvents().map(({ kind }) => kind)
  await spool.close()
  return kinds
}

/** Records for a while without reaching the service, then goes on in a second run that does. Gives what was in the spool. */
const recordTwice = async (sessionId: string) => {
  await besides(desktop.recordIn(sessionId, parts()))
  await pass(3000)
  await desktop.close()
  const spooled = await spooledKinds()
  held = false
  const { agent } = await desktop.open(parts())
  await besides(until('the recording', () => agent.state().screen === 'recording' && agent.state().network.live))
  return { agent, spooled }
}

const storedKinds = async (sessionId: string): Promise<string[]> =>
  (
    await server.app.db.reader.all<{ kind: string }>('SELECT kind FROM integrity_events WHERE session_id = ?', [
      sessionId,
    ])
  ).map(({ kind }) => kind)

/** Kinds that only observers tell which the agreed aid switches off. */
const switchedOff = aidObservers.on_screen_keyboard.flatMap((observer) =>
  Object.entries(integrityEventKinds).flatMap(([kind, { observer: of }]) => (of === observer ? [kind] : [])),
)
const ofThese = (kinds: readonly string[]): string[] => kinds.filter((kind) => switchedOff.includes(kind))

const aids = [{ aid: 'on_screen_keyboard' as const }, { aid: 'breaks' as const, breaks }]

it('an interview without declared aids has what those observers tell, in spool, wire and database', async () => {
  const { data: session } = await api().call('sessions.create', { body: {} })
  const { spooled } = await recordTwice(session.id)
  const told = ['idle.started', 'window.exclusion_started']
  expect(ofThese(spooled).toSorted()).toEqual(told)
  await besides(until('the service to have both', async () => ofThese(await storedKinds(session.id)).length >= 4))
  expect([...new Set(ofThese(sent))].toSorted()).toEqual(told)
  expect([...new Set(ofThese(await storedKinds(session.id)))].toSorted()).toEqual(told)
})

it('an agreed aid switches them off, and two agreed breaks end by themselves; a third is a gap, and both sides read the same', async () => {
  const config = { aids: { offered: [...offered], breaks } }
  const { data: session } = await api().call('sessions.create', { body: { config } })
  const params = { id: session.id }
  const candidate = createClient({ baseUrl: server.url, token: await requestLink(server, scope(), session.id) })
  await candidate.call('candidateRequests.aids', { body: { aids } })
  const { data: seen } = await candidate.call('candidateRequests.view', { body: {} })
  expect(seen.aids.declared.map(({ aid, state, text }) => [aid, state, text])).toEqual(
    offered.map((aid) => [aid, 'agreed', aidText(aid)]),
  )

  const { agent, spooled } = await recordTwice(session.id)
  expect(spooled).toContain('foreground.changed')
  const press = (name: 'recording.break' | 'recording.end') => agent.handlers[name]({})
  await pass(minute)
  for (const left of [1, 0]) {
    await press('recording.break')
    expect(agent.state()).toMatchObject({ screen: 'paused', recording: { breaks: { left, minutes: 5 } } })
    await pass(breaks.minutes * minute - 1000)
    expect(agent.state().screen).toBe('paused')
    await besides(until('the recording to go on by itself', () => agent.state().screen === 'recording'))
    await pass(minute)
  }
  await press('recording.break')
  expect(agent.state().screen).toBe('recording')
  // A computer that stands still all the same has a gap like any other.
  await lanes?.pause('break')
  await pass(breaks.minutes * minute)
  lanes?.resume()
  await pass(minute)
  await press('recording.end')
  await besides(until('the end', () => agent.state().screen === 'done'))

  const { data: report } = await api().call('sessions.report', { params })
  for (const lane of ['screen', 'microphone']) {
    const account = report.coverage.find((one) => one.lane === lane)?.account ?? []
    const told = account.filter(({ state, reason }) => state === 'agreed_break' || reason === 'break')
    expect(told.map(({ state }) => state)).toEqual(['agreed_break', 'agreed_break', 'gap'])
    for (const { fromAt, toAt } of told)
      expect(Math.round((Date.parse(toAt) - Date.parse(fromAt)) / minute)).toBe(breaks.minutes)
  }
  for (const kinds of [spooled, sent, await storedKinds(session.id)]) {
    expect(kinds).toContain('foreground.changed')
    expect(ofThese(kinds)).toEqual([])
  }
  const headers = await portalCookie(server, 'reviewer')
  const { data: onDesk } = await server.client().call('portal.report', { params, headers })
  const { data: onReel } = await server.client().call('portal.reelIndex.get', { params, headers })
  for (const { aids: read } of [report, onDesk, onReel!]) expect(read).toEqual(seen.aids.declared)
}, 120_000)
