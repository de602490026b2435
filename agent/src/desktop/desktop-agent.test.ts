import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SessionService } from '../core/session/test-support/session-service.ts'
import { failure, ScriptedServer } from '../core/upload/test-support/scripted-server.ts'
import type { UpdateController } from '../trust/updates/update-controller.ts'
import { DesktopPlace, lanesOf, later } from './test-support/desktop-place.ts'

let place: DesktopPlace

beforeEach(async () => {
  place = await DesktopPlace.open()
})
afterEach(() => place.close())

describe('the agent behind a window: the way in', () => {
  it('goes from the code over consent and the device check to recording, and nothing starts before', async () => {
    const desktop = await place.openAgent()
    expect(desktop.state).toMatchObject({ screen: 'code', unsent: { items: 0 }, update: { state: 'none' } })
    await desktop.join()
    expect(desktop.state).toMatchObject({
      server: place.baseUrl,
      session: { id: 'ses_1', orgName: 'Example Ltd', candidateLabel: 'Candidate 12' },
      consent: {
        document: { hash: 'a'.repeat(64) },
        capabilities: [{ observer: 'displays' }, { observer: 'screen_lock' }],
      },
    })
    expect(await desktop.agree()).toEqual({ done: true })
    expect(desktop.state.screen).toBe('check')
    expect(place.service.registrations).toEqual([])
    expect(await desktop.agent.handlers['check.done']({})).toEqual({ done: true })
    await desktop.until(({ screen }) => screen === 'recording')
    await desktop.until(() => desktop.capture.running.length > 0)
    expect(desktop.capture.calls).toEqual(['screen microphone'])
    expect(place.service.registrations[0]).toMatchObject({
      consent: { lanes: { screen: true, microphone: true, signals: true } },
      permissions: { screen: 'granted' },
    })
    expect(desktop.states.map(({ screen }) => screen).filter((screen, n, all) => screen !== all[n - 1])).toEqual([
      'joining',
      'consent',
      'check',
      'registering',
      'recording',
    ])
  })

  it('names what is wrong with a code, and takes the next one', async () => {
    const desktop = await place.openAgent()
    const { handlers } = desktop.agent
    expect(await handlers['session.join']({ code: 'K7', server: place.baseUrl })).toEqual({
      done: false,
      problem: { code: 'code_malformed' },
    })
    expect(await handlers['session.join']({ code: 'K7QF2M9X' })).toMatchObject({
      problem: { code: 'server_malformed' },
    })
    expect(await handlers['session.join']({ code: 'K7QF2M9X', server: 'http://example.org' })).toMatchObject({
      problem: { code: 'server_not_https' },
    })
    await handlers['session.join']({ code: 'ABCD-EFGH', server: place.baseUrl })
    await desktop.until(({ problem }) => problem !== undefined)
    expect(desktop.state).toMatchObject({ screen: 'code', problem: { code: 'code_not_valid' } })
    await desktop.join()
    expect(desktop.state.problem).toBeUndefined()
  })

  it('says when something else than the service answers, and when nobody does', async () => {
    const desktop = await place.openAgent()
    const html = new ScriptedServer(() => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<p>Sign in',
    }))
    const address = await html.listen()
    await desktop.agent.handlers['session.join']({ code: 'K7QF2M9X', server: address })
    await desktop.until(({ problem }) => problem !== undefined)
    expect(desktop.state.problem?.code).toBe('not_the_service')
    await html.close()
    await desktop.agent.handlers['session.join']({ code: 'K7QF2M9X', server: address })
    await desktop.until(({ problem }) => problem?.code === 'server_unreachable')
    expect(desktop.state.screen).toBe('code')
  })

  it('fills the first page from a link and joins only when the candidate goes on', async () => {
    const desktop = await place.openAgent()
    await desktop.agent.openLink(`integrity-agent://join?code=K7QF-2M9X&server=${encodeURIComponent(place.baseUrl)}`)
    expect(desktop.state).toMatchObject({ screen: 'code', code: 'K7QF2M9X', server: place.baseUrl })
    expect(place.server.seen).toEqual([])
    await desktop.agent.openLink('https://example.org/?code=K7QF2M9X')
    expect(desktop.state.problem).toEqual({ code: 'link_not_ours' })
    await desktop.agent.handlers['session.join']({ code: 'K7QF2M9X' })
    await desktop.until(({ screen }) => screen === 'consent')
  })

  it('keeps a running session when another link is opened', async () => {
    const desktop = await place.openAgent()
    await desktop.record()
    await desktop.agent.openLink(`integrity-agent://join?code=ABCD-EFGH&server=${encodeURIComponent(place.baseUrl)}`)
    expect(desktop.state).toMatchObject({ screen: 'recording', problem: { code: 'in_another_session' } })
    expect(await desktop.agent.handlers['session.join']({ code: 'ABCD-EFGH' })).toMatchObject({ done: false })
  })
})

describe('the agent behind a window: recording and end', () => {
  it('counts what is captured and unsent, withdraws a lane and pauses as the policy allows', async () => {
    place.service.setConfig({ pauseAllowed: true })
    const desktop = await place.openAgent()
    await desktop.record()
    place.server.outage = 'hang_up'
    await desktop.capture.still()
    await desktop.until(({ unsent }) => unsent.items === 1)
    await desktop.until(({ network }) => network.state === 'offline')
    const screen = desktop.state.recording?.lanes.find(({ lane }) => lane === 'screen')
    expect(screen).toMatchObject({ captured: 1, state: 'up', withdrawable: true, title: 'Your screen' })
    await desktop.agent.handlers['recording.withdraw']({ lane: 'microphone' })
    expect(desktop.capture.running).toEqual(['screen'])
    expect(lanesOf(desktop)).toEqual({ screen: 'up', microphone: 'withdrawn', signals: 'up', ...later })
    await desktop.agent.handlers['recording.pause']({})
    expect(desktop.state.screen).toBe('paused')
    await desktop.agent.handlers['recording.resume']({})
    expect(desktop.state.screen).toBe('recording')
    expect(desktop.agent.quitQuestion()).toMatchObject({ recording: true, unsent: { items: 1 } })
    place.server.outage = undefined
    await desktop.until(({ unsent, sent }) => unsent.items === 0 && sent.items === 1)
  })

  it('ends, counts down what is unsent and is done; the next session begins fresh', async () => {
    const desktop = await place.openAgent()
    await desktop.record()
    await desktop.capture.still()
    await desktop.agent.handlers['recording.end']({})
    expect(['finishing', 'done']).toContain(desktop.state.screen)
    await desktop.until(({ screen }) => screen === 'done')
    expect(desktop.state).toMatchObject({
      unsent: { items: 0, events: 0 },
      sent: { items: 1 },
      ended: { by: 'candidate' },
    })
    expect(desktop.agent.quitQuestion()).toBe('none')
    await desktop.agent.handlers['session.forget']({})
    place.service.codeUsed = false
    place.service.state = 'scheduled'
    await desktop.record()
    expect(desktop.state.sent.items).toBe(0)
    expect(desktop.state.ended).toBeUndefined()
  })

  it('goes on with the session after a restart, and says who ended it', async () => {
    const first = await place.openAgent()
    await first.record()
    await first.agent.close()
    place.desktops.length = 0
    const second = await place.openAgent()
    await second.until(({ screen }) => screen === 'recording')
    expect(second.state.session).toMatchObject({ id: 'ses_1', orgName: 'Example Ltd' })
    place.service.state = 'ended'
    await second.until(({ screen }) => screen === 'done')
    expect(second.state.ended).toMatchObject({ by: 'service' })
  })

  it('stops when its token is not accepted any more, and keeps what is unsent', async () => {
    const desktop = await place.openAgent()
    await desktop.record()
    place.handle = () => failure(401, 'unauthorized')
    await desktop.capture.still()
    await desktop.until(({ screen }) => screen === 'failed')
    expect(desktop.state.unsent.items).toBe(1)
  })

  it('records by the right time on a computer whose clock is a day ahead, and says so', async () => {
    place.service = new SessionService(() => place.clock.wallMs() - 86_400_000)
    place.handle = place.service.handle
    const desktop = await place.openAgent()
    await desktop.record()
    await desktop.until(({ clockAheadMs }) => clockAheadMs !== undefined)
    expect(desktop.state.clockAheadMs).toBeGreaterThan(82_000_000)
    await desktop.until(() => place.service.eventsOf('agent.started').length === 1)
    const { consent } = place.service.registrations[0] as { consent: { acceptedAt: string } }
    const acceptedAt = Date.parse(consent.acceptedAt)
    expect(Math.abs(acceptedAt - (place.clock.wallMs() - 86_400_000))).toBeLessThan(3_600_000)
    const startedAt = desktop.state.recording?.startedAt ?? 0
    expect(Math.abs(startedAt - place.clock.wallMs())).toBeLessThan(3_600_000)
  })

  it('takes every lane change from the policy', async () => {
    const desktop = await place.openAgent()
    await desktop.record()
    place.service.setConfig({ audio: { microphone: false }, camera: { enabled: true } })
    await desktop.until(() => desktop.capture.running.length === 1)
    expect(lanesOf(desktop)).toEqual({ screen: 'up', microphone: 'off', signals: 'up', ...later })
  })

  it('says from the beginning, and after each change, what the video call is held in, and leaves what a person chose', async () => {
    place.service.setConfig({ requiredApps: ['Editor'] })
    place.service.setMeeting('Zoom')
    const desktop = await place.openAgent()
    await desktop.join()
    expect(desktop.state).toMatchObject({ screen: 'consent', session: { callIn: 'Zoom' } })
    await desktop.agree()
    await desktop.agent.handlers['check.done']({})
    await desktop.until(({ screen }) => screen === 'recording')
    const apps = () => desktop.state.recording?.requiredApps
    expect([desktop.state.session?.callIn, apps()]).toEqual(['Zoom', ['Editor']])
    place.service.setMeeting(null)
    await desktop.until(({ session }) => session?.callIn === 'meet.example.org')
    place.service.removeMeeting()
    await desktop.until(({ session }) => session?.callIn === undefined)
    expect(apps()).toEqual(['Editor'])
  })
})

describe('the agent behind a window: versions', () => {
  it('does not use up the code when the service works with newer versions only', async () => {
    let installed = 0
    const updates: UpdateController = {
      view: () => ({ state: 'ready', version: '2.0.0', minimum: '2.0.0' }),
      onChange: () => () => undefined,
      check: async () => undefined,
      install: async () => {
        installed += 1
        return true
      },
      stop: async () => undefined,
    }
    const desktop = await place.openAgent({ updates })
    expect(await desktop.agent.handlers['session.join']({ code: 'k7qf-2m9x', server: place.baseUrl })).toEqual({
      done: true,
    })
    expect(desktop.state).toMatchObject({ screen: 'update_required', update: { state: 'ready', minimum: '2.0.0' } })
    expect(place.server.seen).toEqual([])
    expect(await desktop.agent.handlers['update.install']({})).toEqual({ done: true })
    expect(installed).toBe(1)
  })
})

describe('the agent behind a window: small commands', () => {
  it('remembers the language, hides and quits', async () => {
    const desktop = await place.openAgent()
    await desktop.agent.handlers['app.locale']({ locale: 'hi' })
    expect(desktop.state.locale).toBe('hi')
    await desktop.agent.handlers['app.background']({})
    await desktop.agent.handlers['app.quit']({})
    expect(desktop.calls).toEqual(['hide', 'quit'])
    await desktop.agent.close()
    place.desktops.length = 0
    expect((await place.openAgent()).state.locale).toBe('hi')
  })
})
