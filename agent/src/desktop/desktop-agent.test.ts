import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SessionService } from '../session/testing/session-service.ts'
import { ManualClock } from '../spool/testing/manual-clock.ts'
import { failure, type Handler, ScriptedServer } from '../upload/testing/scripted-server.ts'
import type { DesktopOptions } from './desktop-agent.types.ts'
import { TestDesktop } from './testing/test-desktop.ts'
import type { UpdateDesk } from './update-desk.ts'

let dir: string
let clock: ManualClock
let service: SessionService
let server: ScriptedServer
let baseUrl: string
let handle: Handler
const desktops: TestDesktop[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'desktop-'))
  clock = new ManualClock()
  service = new SessionService(() => clock.wallMs())
  handle = service.handle
  server = new ScriptedServer((request) => handle(request))
  baseUrl = await server.listen()
})
afterEach(async () => {
  for (const desktop of desktops.splice(0)) await desktop.agent.close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const open = async (over: Partial<DesktopOptions> = {}): Promise<TestDesktop> => {
  const desktop = await TestDesktop.open({ dir, clock, baseUrl }, over)
  desktops.push(desktop)
  return desktop
}

/** The hash of the fake document in Hindi. */
const inHindi = `d${'a'.repeat(63)}`

const lanesOf = ({ state }: TestDesktop) =>
  Object.fromEntries((state.recording?.lanes ?? []).map((lane) => [lane.lane, lane.state]))
/** What the policy has on, and the fake document did not ask about. */
const later = { system_audio: 'not_asked', camera: 'not_asked' }

describe('the agent behind a window: the way in', () => {
  it('goes from the code over consent and the device check to recording, and nothing starts before', async () => {
    const desktop = await open()
    expect(desktop.state).toMatchObject({ screen: 'code', unsent: { items: 0 }, update: { state: 'none' } })
    await desktop.join()
    expect(desktop.state).toMatchObject({
      server: baseUrl,
      session: { id: 'ses_1', orgName: 'Example Ltd', candidateLabel: 'Candidate 12' },
      consent: {
        document: { hash: 'a'.repeat(64) },
        capabilities: [{ observer: 'displays' }, { observer: 'screen_lock' }],
      },
    })
    expect(await desktop.agree()).toEqual({ done: true })
    expect(desktop.state.screen).toBe('check')
    expect(service.registrations).toEqual([])
    expect(await desktop.agent.handlers['check.done']({})).toEqual({ done: true })
    await desktop.until(({ screen }) => screen === 'recording')
    await desktop.until(() => desktop.capture.running.length > 0)
    expect(desktop.capture.calls).toEqual(['screen microphone'])
    expect(service.registrations[0]).toMatchObject({
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
    const desktop = await open()
    const { handlers } = desktop.agent
    expect(await handlers['session.join']({ code: 'K7', server: baseUrl })).toEqual({
      done: false,
      problem: { code: 'code_malformed' },
    })
    expect(await handlers['session.join']({ code: 'K7QF2M9X' })).toMatchObject({
      problem: { code: 'server_malformed' },
    })
    expect(await handlers['session.join']({ code: 'K7QF2M9X', server: 'http://example.org' })).toMatchObject({
      problem: { code: 'server_not_https' },
    })
    await handlers['session.join']({ code: 'ABCD-EFGH', server: baseUrl })
    await desktop.until(({ problem }) => problem !== undefined)
    expect(desktop.state).toMatchObject({ screen: 'code', problem: { code: 'code_not_valid' } })
    await desktop.join()
    expect(desktop.state.problem).toBeUndefined()
  })

  it('says when something else than the service answers, and when nobody does', async () => {
    const desktop = await open()
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
    const desktop = await open()
    await desktop.agent.openLink(`integrity-agent://join?code=K7QF-2M9X&server=${encodeURIComponent(baseUrl)}`)
    expect(desktop.state).toMatchObject({ screen: 'code', code: 'K7QF2M9X', server: baseUrl })
    expect(server.seen).toEqual([])
    await desktop.agent.openLink('https://example.org/?code=K7QF2M9X')
    expect(desktop.state.problem).toEqual({ code: 'link_not_ours' })
    await desktop.agent.handlers['session.join']({ code: 'K7QF2M9X' })
    await desktop.until(({ screen }) => screen === 'consent')
  })

  it('keeps a running session when another link is opened', async () => {
    const desktop = await open()
    await desktop.record()
    await desktop.agent.openLink(`integrity-agent://join?code=ABCD-EFGH&server=${encodeURIComponent(baseUrl)}`)
    expect(desktop.state).toMatchObject({ screen: 'recording', problem: { code: 'in_another_session' } })
    expect(await desktop.agent.handlers['session.join']({ code: 'ABCD-EFGH' })).toMatchObject({ done: false })
  })
})

describe('the agent behind a window: consent', () => {
  it('refuses an answer without a required lane, or to a document that is not on the screen', async () => {
    const desktop = await open()
    await desktop.join()
    expect(await desktop.agree({ screen: false, microphone: true, signals: true })).toEqual({
      done: false,
      problem: { code: 'consent_incomplete' },
    })
    const stale = await desktop.agent.handlers['consent.agree']({
      hash: 'f'.repeat(64),
      answers: { screen: true, signals: true },
    })
    expect(stale).toMatchObject({ done: false })
    expect(desktop.state.screen).toBe('consent')
  })

  it('takes a lane that is not named for declined', async () => {
    const desktop = await open()
    await desktop.record({ screen: true, signals: true })
    expect(service.registrations[0]).toMatchObject({ consent: { lanes: { microphone: false } } })
    expect(desktop.capture.running).toEqual(['screen'])
    expect(lanesOf(desktop)).toEqual({ screen: 'up', microphone: 'declined', signals: 'up', ...later })
  })

  it('shows a document that changed meanwhile again, with what changed', async () => {
    const desktop = await open()
    await desktop.join()
    await desktop.agree()
    service.documentHash = 'b'.repeat(64)
    await desktop.agent.handlers['check.done']({})
    await desktop.until(({ consent, screen }) => screen === 'consent' && consent?.document.hash === 'b'.repeat(64))
    expect(desktop.state.consent?.changes).toEqual([])
    expect(desktop.capture.calls.filter((call) => call !== 'stop')).toEqual([])
  })

  it('asks for the document in the language of the window, and records the answer to those words', async () => {
    const desktop = await open({ locale: 'hi-IN' })
    await desktop.join()
    expect(server.seen[0]?.body.toString()).toContain('"locale":"hi-IN"')
    expect(desktop.state.consent?.document).toMatchObject({ locale: 'hi', hash: inHindi })
    await desktop.agree()
    await desktop.agent.handlers['check.done']({})
    await desktop.until(({ screen }) => screen === 'recording')
    expect(service.registrations[0]).toMatchObject({ consent: { locale: 'hi', documentHash: inHindi } })
  })

  it('puts the open question anew in the language that the candidate chooses, as often as that changes', async () => {
    const desktop = await open()
    await desktop.join()
    const { handlers } = desktop.agent
    const shown = desktop.states.length
    await handlers['app.locale']({ locale: 'hi' })
    await desktop.until(({ consent }) => consent?.document.locale === 'hi')
    expect(desktop.state.consent?.changes).toBeUndefined()
    expect(new Set(desktop.states.slice(shown).map(({ screen }) => screen))).toEqual(new Set(['consent']))
    await handlers['app.locale']({ locale: 'en' })
    await handlers['app.locale']({ locale: 'hi' })
    await handlers['app.locale']({ locale: 'en' })
    await desktop.until(({ consent }) => consent?.document.locale === 'en')
    await handlers['app.locale']({ locale: 'hi' })
    await desktop.until(({ consent }) => consent?.document.locale === 'hi')
    // An answer to the words that are no longer on the screen is none.
    const answers = { screen: true, signals: true }
    expect(await handlers['consent.agree']({ hash: 'a'.repeat(64), answers })).toMatchObject({ done: false })
    await desktop.agree()
    await handlers['check.done']({})
    await desktop.until(({ screen }) => screen === 'recording')
    expect(service.registrations).toHaveLength(1)
    expect(service.registrations[0]).toMatchObject({ consent: { locale: 'hi', documentHash: inHindi } })
  })

  it('says what changed when the policy is another one by the time the language is', async () => {
    const desktop = await open()
    await desktop.join()
    service.setConfig({ retentionDays: 7 })
    await desktop.agent.handlers['app.locale']({ locale: 'hi' })
    await desktop.until(({ consent }) => consent?.document.locale === 'hi')
    expect(desktop.state.consent?.config.retentionDays).toBe(7)
    expect(desktop.state.consent?.changes).toBeDefined()
  })

  it('leaves an answer that was given to the words it was given to', async () => {
    const desktop = await open()
    await desktop.join()
    const { handlers } = desktop.agent
    await desktop.agree()
    const asked = () => server.seen.filter(({ path }) => path.endsWith('/config?locale=hi')).length
    await handlers['app.locale']({ locale: 'hi' })
    await desktop.until(() => asked() === 1)
    expect(desktop.state).toMatchObject({ screen: 'check', consent: { document: { locale: 'en' } } })
    await handlers['check.back']({})
    await desktop.until(({ consent }) => consent?.document.locale === 'hi')
    expect(desktop.state.screen).toBe('consent')
    await desktop.agree()
    await handlers['app.locale']({ locale: 'en' })
    await handlers['check.done']({})
    await desktop.until(({ screen }) => screen === 'recording')
    expect(service.registrations[0]).toMatchObject({ consent: { locale: 'hi', documentHash: inHindi } })
  })

  it('keeps the words it has when the service cannot be asked for others', async () => {
    const desktop = await open()
    await desktop.join()
    handle = () => failure(500, 'internal')
    const before = server.seen.length
    await desktop.agent.handlers['app.locale']({ locale: 'hi' })
    await desktop.until(() => server.seen.length >= before + 3)
    expect(desktop.state).toMatchObject({ screen: 'consent', locale: 'hi', consent: { document: { locale: 'en' } } })
    handle = service.handle
    await desktop.agree()
    await desktop.agent.handlers['check.done']({})
    await desktop.until(({ screen }) => screen === 'recording')
    expect(service.registrations[0]).toMatchObject({ consent: { locale: 'en' } })
  })

  it('goes on after a restart in the language that was agreed in, whatever the window speaks since', async () => {
    const first = await open({ locale: 'hi' })
    await first.record()
    await first.agent.handlers['app.locale']({ locale: 'en' })
    await first.agent.close()
    desktops.length = 0
    const second = await open()
    await second.until(({ screen }) => screen === 'recording')
    // Registering again, with the same consent, is how the service hears of an agent that came back.
    await second.until(() => service.registrations.length === 2)
    expect(service.registrations[1]).toMatchObject({ consent: { locale: 'hi', documentHash: inHindi } })
  })

  it('records nothing and tells nothing when consent is refused', async () => {
    const desktop = await open()
    await desktop.join()
    expect(await desktop.agent.handlers['consent.decline']({})).toEqual({ done: true })
    await desktop.until(({ screen }) => screen === 'refused')
    expect(server.seen.map(({ path }) => path)).toEqual(['/v1/sessions/join'])
    expect(await desktop.agent.handlers['session.forget']({})).toEqual({ done: true })
    expect(desktop.state.screen).toBe('code')
  })

  it('goes back from the device check to the page with nothing answered', async () => {
    const desktop = await open()
    await desktop.join()
    await desktop.agree()
    await desktop.agent.handlers['check.back']({})
    expect(desktop.state.screen).toBe('consent')
    expect(await desktop.agent.handlers['check.done']({})).toMatchObject({ done: false })
    expect(await desktop.agent.handlers['check.again']({})).toMatchObject({ done: false })
  })
})

describe('the agent behind a window: recording and end', () => {
  it('counts what is captured and unsent, withdraws a lane and pauses as the policy allows', async () => {
    service.setConfig({ pauseAllowed: true })
    const desktop = await open()
    await desktop.record()
    server.script.push(...Array.from({ length: 200 }, () => 'hang_up' as const))
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
    server.script.length = 0
    await desktop.until(({ unsent, sent }) => unsent.items === 0 && sent.items === 1)
  })

  it('ends, counts down what is unsent and is done; the next session begins fresh', async () => {
    const desktop = await open()
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
    service.codeUsed = false
    service.state = 'scheduled'
    await desktop.record()
    expect(desktop.state.sent.items).toBe(0)
    expect(desktop.state.ended).toBeUndefined()
  })

  it('goes on with the session after a restart, and says who ended it', async () => {
    const first = await open()
    await first.record()
    await first.agent.close()
    desktops.length = 0
    const second = await open()
    await second.until(({ screen }) => screen === 'recording')
    expect(second.state.session).toMatchObject({ id: 'ses_1', orgName: 'Example Ltd' })
    service.state = 'ended'
    await second.until(({ screen }) => screen === 'done')
    expect(second.state.ended).toMatchObject({ by: 'service' })
  })

  it('stops when its token is not accepted any more, and keeps what is unsent', async () => {
    const desktop = await open()
    await desktop.record()
    handle = () => failure(401, 'unauthorized')
    await desktop.capture.still()
    await desktop.until(({ screen }) => screen === 'failed')
    expect(desktop.state.unsent.items).toBe(1)
  })

  it('records by the right time on a computer whose clock is a day ahead, and says so', async () => {
    service = new SessionService(() => clock.wallMs() - 86_400_000)
    handle = service.handle
    const desktop = await open()
    await desktop.record()
    await desktop.until(({ clockAheadMs }) => clockAheadMs !== undefined)
    expect(desktop.state.clockAheadMs).toBeGreaterThan(82_000_000)
    await desktop.until(() => service.eventsOf('agent.started').length === 1)
    const { consent } = service.registrations[0] as { consent: { acceptedAt: string } }
    const acceptedAt = Date.parse(consent.acceptedAt)
    expect(Math.abs(acceptedAt - (clock.wallMs() - 86_400_000))).toBeLessThan(3_600_000)
    const startedAt = desktop.state.recording?.startedAt ?? 0
    expect(Math.abs(startedAt - clock.wallMs())).toBeLessThan(3_600_000)
  })

  it('takes every lane change from the policy', async () => {
    const desktop = await open()
    await desktop.record()
    service.setConfig({ audio: { microphone: false }, camera: { enabled: true } })
    await desktop.until(() => desktop.capture.running.length === 1)
    expect(lanesOf(desktop)).toEqual({ screen: 'up', microphone: 'off', signals: 'up', ...later })
  })
})

describe('the agent behind a window: versions', () => {
  it('does not use up the code when the service works with newer versions only', async () => {
    let installed = 0
    const updates: UpdateDesk = {
      view: () => ({ state: 'ready', version: '2.0.0', minimum: '2.0.0' }),
      onChange: () => () => undefined,
      check: async () => undefined,
      install: async () => {
        installed += 1
        return true
      },
      stop: async () => undefined,
    }
    const desktop = await open({ updates })
    expect(await desktop.agent.handlers['session.join']({ code: 'k7qf-2m9x', server: baseUrl })).toEqual({ done: true })
    expect(desktop.state).toMatchObject({ screen: 'update_required', update: { state: 'ready', minimum: '2.0.0' } })
    expect(server.seen).toEqual([])
    expect(await desktop.agent.handlers['update.install']({})).toEqual({ done: true })
    expect(installed).toBe(1)
  })
})

describe('the agent behind a window: small commands', () => {
  it('remembers the language, hides and quits', async () => {
    const desktop = await open()
    await desktop.agent.handlers['app.locale']({ locale: 'hi' })
    expect(desktop.state.locale).toBe('hi')
    await desktop.agent.handlers['app.background']({})
    await desktop.agent.handlers['app.quit']({})
    expect(desktop.calls).toEqual(['hide', 'quit'])
    await desktop.agent.close()
    desktops.length = 0
    expect((await open()).state.locale).toBe('hi')
  })
})
