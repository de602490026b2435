import type { LaneName } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DesktopAgent } from '../../src/desktop/desktop-agent.ts'
import type { WindowState } from '../../src/shared/ipc/window-state.ts'
import { until } from '../test-support/until.ts'
import { DesktopOnServer } from './desktop-on-server.ts'
import { type RealServer, startRealServer } from './real-server.ts'

let server: RealServer
let desktop: DesktopOnServer

beforeAll(async () => {
  server = await startRealServer()
})
beforeEach(async () => {
  desktop = await DesktopOnServer.make(server)
})
afterEach(() => desktop.remove())
afterAll(() => server.remove())

const patch = (id: string, body: object) => server.api.call('sessions.patch', { params: { id }, body })
const consentOf = async (id: string) => (await server.api.call('sessions.get', { params: { id } })).data.consent
const askedLanes = ({ recording }: WindowState) => recording?.asked?.lanes.map(({ lane }) => lane) ?? []

/** A running session that records the screen, the camera's stills and the signals. */
const record = () => desktop.record({ capture: { screenshotIntervalSeconds: 30 }, audio: { enabled: false } })

const answer = (agent: DesktopAgent, lane: LaneName, agree: boolean) => {
  const hash = agent.state().recording?.asked?.document.hash ?? ''
  return agent.handlers['recording.answer']({ hash, lane, agree })
}

describe('a part that the policy switches on while the session is recorded', () => {
  it('is asked about beside the recording, and starts once the service has the yes', async () => {
    const { agent, capture, id, permitted } = await record()
    await patch(id, { audio: { enabled: true, microphone: true, systemAudio: false } })
    await until('the question', () => askedLanes(agent.state()).includes('microphone'))
    const { asked, lanes } = agent.state().recording ?? {}
    expect(asked?.lanes).toEqual([{ lane: 'microphone', sending: false }])
    expect(asked?.document.lanes.find(({ lane }) => lane === 'microphone')?.text).toMatch(/microphone/)
    expect(lanes?.find(({ lane }) => lane === 'microphone')?.state).toBe('not_asked')
    expect(capture.running).toEqual(['screen', 'camera'])
    const before = await consentOf(id)
    expect(await answer(agent, 'microphone', true)).toEqual({ done: true })
    await until('the microphone', () => capture.running.includes('microphone'))
    expect(permitted).toEqual(['microphone'])
    const after = await consentOf(id)
    expect(after).toMatchObject({ status: 'granted', lanes: { microphone: { granted: true } } })
    expect(after.lanes.screen).toEqual(before.lanes.screen)
    expect(after.documentHash).toBe(asked?.document.hash)
    expect(agent.state().recording?.asked).toBeUndefined()
  })

  it('stays off when it is declined, is recorded as declined, and is not asked about again', async () => {
    const { agent, capture, id } = await record()
    await patch(id, { audio: { enabled: true, systemAudio: false }, optionalLanes: [] })
    await until('the question', () => askedLanes(agent.state()).includes('microphone'))
    await answer(agent, 'microphone', false)
    await until('the service to know', async () => (await consentOf(id)).lanes.microphone?.granted === false)
    await until('the window to know', () => agent.state().recording?.asked === undefined)
    const states = Object.fromEntries(agent.state().recording?.lanes.map(({ lane, state }) => [lane, state]) ?? [])
    expect(states).toMatchObject({ microphone: 'declined', screen: 'up' })
    // Another change is asked about, and this one is not.
    await patch(id, { audio: { transcript: true } })
    await until('the next question', () => askedLanes(agent.state()).length > 0)
    expect(askedLanes(agent.state())).toEqual(['transcript'])
    expect(capture.running).toEqual(['screen', 'camera'])
  })

  it('is one of several that are answered one by one, each as soon as it is', async () => {
    const { agent, capture, id } = await record()
    await patch(id, { audio: { enabled: true, transcript: true } })
    await until('the questions', () => askedLanes(agent.state()).length === 3)
    await answer(agent, 'system_audio', true)
    await until('the first', () => capture.running.includes('system_audio'))
    expect(askedLanes(agent.state())).toEqual(['microphone', 'transcript'])
    expect((await consentOf(id)).lanes.microphone).toBeUndefined()
    await answer(agent, 'microphone', false)
    await until('the second', () => askedLanes(agent.state()).length === 1)
    const { lanes } = await consentOf(id)
    expect(lanes).toMatchObject({ system_audio: { granted: true }, microphone: { granted: false } })
    expect(lanes.transcript).toBeUndefined()
  })

  it('is no question any more once the policy takes it back', async () => {
    const { agent, id } = await record()
    await patch(id, { audio: { enabled: true } })
    await until('the question', () => askedLanes(agent.state()).length > 0)
    await patch(id, { audio: { enabled: false } })
    await until('it to be gone', () => agent.state().recording?.asked === undefined)
  })

  it('takes no answer to words that have changed since, and asks anew', async () => {
    const { agent, capture, id } = await record()
    await patch(id, { audio: { enabled: true, systemAudio: false } })
    await until('the question', () => askedLanes(agent.state()).length > 0)
    const old = agent.state().recording?.asked?.document.hash ?? ''
    await patch(id, { retentionDays: 7 })
    // The service refuses it, or the agent knows the new words by then: nothing starts either way.
    await agent.handlers['recording.answer']({ hash: old, lane: 'microphone', agree: true })
    await until('the new words', () => agent.state().recording?.asked?.document.retentionDays === 7)
    expect(capture.running).not.toContain('microphone')
    await until('the answer to be open', () => agent.state().recording?.asked?.lanes[0]?.sending === false)
    await answer(agent, 'microphone', true)
    await until('the microphone', () => capture.running.includes('microphone'))
  })

  it('is asked about in the language that the candidate chooses', async () => {
    const { agent, id } = await record()
    await patch(id, { audio: { enabled: true } })
    await until('the question', () => agent.state().recording?.asked?.document.locale === 'en')
    await agent.handlers['app.locale']({ locale: 'hi' })
    await until('the question in Hindi', () => agent.state().recording?.asked?.document.locale === 'hi')
    await answer(agent, 'microphone', true)
    await until('the service to know', async () => (await consentOf(id)).locale === 'hi')
  })

  it('is asked about again after a restart that came before the answer, and never after it', async () => {
    const first = await record()
    await patch(first.id, { audio: { enabled: true } })
    await until('the question', () => askedLanes(first.agent.state()).length === 2)
    await answer(first.agent, 'microphone', false)
    await until('the first answer', () => askedLanes(first.agent.state()).length === 1)
    await desktop.close()
    const second = await desktop.open()
    await until('the question anew', () => askedLanes(second.agent.state()).length > 0)
    expect(askedLanes(second.agent.state())).toEqual(['system_audio'])
    await answer(second.agent, 'system_audio', true)
    await until('its recording', () => second.capture.running.includes('system_audio'))
    await desktop.close()
    const third = await desktop.open()
    await until(
      'the recording',
      () => third.capture.running.includes('system_audio') && third.agent.state().network.live,
    )
    expect(third.agent.state().recording?.asked).toBeUndefined()
    expect((await consentOf(first.id)).lanes).toMatchObject({
      microphone: { granted: false },
      system_audio: { granted: true },
    })
  })
})

describe('a part that the policy widens while the session is recorded', () => {
  it('goes on as agreed until the answer, and as asked for after a yes', async () => {
    const { agent, capture, id } = await record()
    await patch(id, { capture: { screenshotIntervalSeconds: 5, recording: true } })
    await until('the question', () => askedLanes(agent.state()).includes('screen'))
    const [screen] = agent.state().recording?.asked?.lanes ?? []
    expect(screen?.before).toMatch(/30 seconds/)
    expect(capture.configs.at(-1)?.capture).toMatchObject({ screenshotIntervalSeconds: 30, recording: false })
    await answer(agent, 'screen', true)
    await until('the film', () => capture.configs.at(-1)?.capture.recording === true)
    expect(capture.configs.at(-1)?.capture.screenshotIntervalSeconds).toBe(5)
    expect((await consentOf(id)).evidenceTypes).toContain('screen_clip')
  })

  it('goes on as agreed after a no, which the service keeps beside the first answer', async () => {
    const { agent, capture, id } = await record()
    await patch(id, { camera: { clips: true } })
    await until('the question', () => askedLanes(agent.state()).includes('camera'))
    await answer(agent, 'camera', false)
    await until('the answer to be there', () => agent.state().recording?.asked === undefined)
    const { lanes, evidenceTypes } = await consentOf(id)
    expect(lanes.camera).toMatchObject({ granted: true, withdrawnAt: null })
    expect(evidenceTypes).not.toContain('camera_clip')
    expect(capture.configs.at(-1)?.camera.clips).toBe(false)
    expect(agent.state().recording?.lanes.find(({ lane }) => lane === 'camera')?.state).toBe('up')
  })

  it('is not asked about where the policy collects less', async () => {
    const { agent, capture, id } = await record()
    await patch(id, { capture: { screenshotIntervalSeconds: 60 }, camera: { enabled: false } })
    await until('the change', () => capture.configs.at(-1)?.capture.screenshotIntervalSeconds === 60)
    expect(agent.state().recording?.asked).toBeUndefined()
  })
})

it('a part that was withdrawn is not asked about again, and an agent that withdrew what is needed comes back', async () => {
  const first = await record()
  await first.agent.handlers['recording.withdraw']({ lane: 'screen' })
  await until('the withdrawal', async () => (await consentOf(first.id)).lanes.screen?.withdrawnAt !== null)
  await desktop.close()
  const second = await desktop.open()
  await until('the recording', () => second.capture.running.length > 0)
  expect(second.capture.running).toEqual(['camera'])
  await patch(first.id, { capture: { recording: true }, camera: { clips: true } })
  await until('a question', () => askedLanes(second.agent.state()).length > 0)
  expect(askedLanes(second.agent.state())).toEqual(['camera'])
})
