import { createClient } from '@integrity/client/every-endpoint'
import { aidText } from '@integrity/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ScriptedCapture } from '../../src/core/session/test-support/scripted-capture.ts'
import { until } from '../test-support/until.ts'
import { DesktopOnServer } from './desktop-on-server.ts'
import { type RealServer, startRealServer } from './real-server.ts'

let server: RealServer
let desktop: DesktopOnServer

beforeEach(async () => {
  server = await startRealServer()
  desktop = await DesktopOnServer.make(server)
})
afterEach(async () => {
  await desktop?.remove()
  await server?.remove()
})

const declared = [
  { aid: 'on_screen_keyboard', state: 'agreed', detail: null, breaks: null },
  { aid: 'breaks', state: 'agreed', detail: null, breaks: { count: 2, minutes: 5 } },
] as const

/** The lane says for what it stood still, as it was told to. */
const stoodStill = (capture: ScriptedCapture, fromAt: number, toAt: number) => {
  const reason = capture.calls.includes('break') ? 'break' : 'paused'
  capture.windows.push({
    lane: 'screen',
    fromAt,
    toAt,
    ...{ expectedSeconds: 0, observedSeconds: 0 },
    gaps: [{ from: fromAt, to: toAt, reason }],
  })
}

it('breaks of one button are agreed breaks in the account, a third of two does not begin, and both read the same', async () => {
  const offered = ['on_screen_keyboard', 'breaks']
  const { data: session } = await server.api.call('sessions.create', {
    body: { config: { aids: { offered: ['on_screen_keyboard', 'breaks'], breaks: { count: 2, minutes: 5 } } } },
  })
  const agent = createClient({ baseUrl: server.url, token: session.agentJoinToken })
  const { data: link } = await agent.call('candidateRequests.links.agent')
  const candidate = createClient({ baseUrl: server.url, token: link.token })
  const aids = declared.map(({ aid, breaks }) => ({ aid, ...(breaks ? { breaks } : {}) }))
  await candidate.call('candidateRequests.aids', { body: { aids } })
  const { data: seen } = await candidate.call('candidateRequests.declared', { body: {} })
  expect(seen.declared.map(({ aid, state }) => [aid, state])).toEqual(offered.map((aid) => [aid, 'agreed']))
  const params = { id: session.id }
  expect((await server.api.call('sessions.get', { params })).data.aids).toEqual(seen.declared)
  expect(seen.declared.map(({ text }) => text)).toEqual(declared.map(({ aid }) => aidText(aid)))

  const run = await desktop.recordIn(session.id)
  const press = (name: 'recording.break' | 'recording.resume') => run.agent.handlers[name]({})
  expect(run.capture.configs.at(-1)?.observersOff).toEqual(['idle', 'excluded_windows', 'input_origin'])
  const wanted = run.capture.configs.at(-1)?.aids.declared.map(({ aid }) => aid)
  expect(wanted).toEqual(offered)
  for (const left of [1, 0]) {
    const fromAt = Date.now()
    await press('recording.break')
    expect(run.agent.state()).toMatchObject({ screen: 'paused', recording: { breaks: { left, minutes: 5 } } })
    await new Promise((resolve) => setTimeout(resolve, 300))
    stoodStill(run.capture, fromAt, Date.now())
    await press('recording.resume')
    expect(run.agent.state().screen).toBe('recording')
  }
  await press('recording.break')
  expect(run.agent.state().screen).toBe('recording')
  expect(run.capture.calls.filter((call) => call === 'break')).toHaveLength(2)
  await run.agent.handlers['recording.end']({})
  await until('the end', () => run.agent.state().screen === 'done')
  const { data: report } = await server.api.call('sessions.report', { params })
  const screen = report.coverage.find(({ lane }) => lane === 'screen')?.account ?? []
  expect(screen.filter(({ state }) => state === 'agreed_break')).toHaveLength(2)
  expect(report.aids).toEqual(seen.declared)
})
