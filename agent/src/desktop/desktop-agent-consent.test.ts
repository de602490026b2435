import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure } from '../core/upload/test-support/scripted-server.ts'
import { DesktopPlace, lanesOf, later } from './test-support/desktop-place.ts'

let place: DesktopPlace

beforeEach(async () => {
  place = await DesktopPlace.open()
})
afterEach(() => place.close())

/** The hash of the fake document in Hindi. */
const inHindi = `d${'a'.repeat(63)}`

describe('the agent behind a window: consent', () => {
  it('refuses an answer without a required lane, or to a document that is not on the screen', async () => {
    const desktop = await place.openAgent()
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
    const desktop = await place.openAgent()
    await desktop.record({ screen: true, signals: true })
    expect(place.service.registrations[0]).toMatchObject({ consent: { lanes: { microphone: false } } })
    expect(desktop.capture.running).toEqual(['screen'])
    expect(lanesOf(desktop)).toEqual({ screen: 'up', microphone: 'declined', signals: 'up', ...later })
  })

  it('shows a document that changed meanwhile again, with what changed', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    await desktop.agree()
    place.service.documentHash = 'b'.repeat(64)
    await desktop.agent.handlers['check.done']({})
    await desktop.until(({ consent, screen }) => screen === 'consent' && consent?.document.hash === 'b'.repeat(64))
    expect(desktop.state.consent?.changes).toEqual([])
    expect(desktop.capture.calls.filter((call) => call !== 'stop')).toEqual([])
  })

  it('asks for the document in the language of the window, and records the answer to those words', async () => {
    const desktop = await place.openAgent({ locale: 'hi-IN' })
    await desktop.join()
    expect(place.server.seen[0]?.body.toString()).toContain('"locale":"hi-IN"')
    expect(desktop.state.consent?.document).toMatchObject({ locale: 'hi', hash: inHindi })
    await desktop.agree()
    await desktop.agent.handlers['check.done']({})
    await desktop.until(({ screen }) => screen === 'recording')
    expect(place.service.registrations[0]).toMatchObject({ consent: { locale: 'hi', documentHash: inHindi } })
  })

  it('puts the open question anew in the language that the candidate chooses, as often as that changes', async () => {
    const desktop = await place.openAgent()
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
    expect(place.service.registrations).toHaveLength(1)
    expect(place.service.registrations[0]).toMatchObject({ consent: { locale: 'hi', documentHash: inHindi } })
  })

  it('says what changed when the policy is another one by the time the language is', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    place.service.setConfig({ retentionDays: 7 })
    await desktop.agent.handlers['app.locale']({ locale: 'hi' })
    await desktop.until(({ consent }) => consent?.document.locale === 'hi')
    expect(desktop.state.consent?.config.retentionDays).toBe(7)
    expect(desktop.state.consent?.changes).toBeDefined()
  })

  it('leaves an answer that was given to the words it was given to', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    const { handlers } = desktop.agent
    await desktop.agree()
    const asked = () => place.server.seen.filter(({ path }) => path.endsWith('/config?locale=hi')).length
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
    expect(place.service.registrations[0]).toMatchObject({ consent: { locale: 'hi', documentHash: inHindi } })
  })

  it('keeps the words it has when the service cannot be asked for others', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    place.handle = () => failure(500, 'internal')
    const before = place.server.seen.length
    await desktop.agent.handlers['app.locale']({ locale: 'hi' })
    await desktop.until(() => place.server.seen.length >= before + 3)
    expect(desktop.state).toMatchObject({ screen: 'consent', locale: 'hi', consent: { document: { locale: 'en' } } })
    place.handle = place.service.handle
    await desktop.agree()
    await desktop.agent.handlers['check.done']({})
    await desktop.until(({ screen }) => screen === 'recording')
    expect(place.service.registrations[0]).toMatchObject({ consent: { locale: 'en' } })
  })

  it('goes on after a restart in the language that was agreed in, whatever the window speaks since', async () => {
    const first = await place.openAgent({ locale: 'hi' })
    await first.record()
    await first.agent.handlers['app.locale']({ locale: 'en' })
    await first.agent.close()
    place.desktops.length = 0
    const second = await place.openAgent()
    await second.until(({ screen }) => screen === 'recording')
    // Registering again, with the same consent, is how the service hears of an agent that came back.
    await second.until(() => place.service.registrations.length === 2)
    expect(place.service.registrations[1]).toMatchObject({ consent: { locale: 'hi', documentHash: inHindi } })
  })

  it('records nothing when consent is refused, and delivers the refusal and nothing else', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    expect(await desktop.agent.handlers['consent.decline']({})).toEqual({ done: true })
    await desktop.until(({ screen, refusal }) => screen === 'refused' && refusal === 'told')
    expect(place.server.seen.map(({ path }) => path)).toEqual(['/v1/sessions/join', '/v1/sessions/ses_1/decline'])
    expect(place.service.declines).toEqual([
      { version: '1', locale: 'en', documentHash: place.service.documentHash, declinedAt: expect.any(String) },
    ])
    expect(await desktop.agent.handlers['session.forget']({})).toEqual({ done: true })
    expect(desktop.state.screen).toBe('code')
  })

  it('leaves nothing of an untold refusal once another code was tried, whether that works or not', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    const { handlers } = desktop.agent
    place.server.outage = 'hang_up'
    await handlers['consent.decline']({})
    await desktop.until(({ screen }) => screen === 'refused')
    await handlers['session.forget']({})
    place.server.outage = undefined
    // Between the two, whatever still waited to be told would be due.
    for (let n = 0; n < 2; n += 1) {
      await handlers['session.join']({ code: 'ABCD-EFGH', server: place.baseUrl })
      await desktop.until(({ problem }) => problem !== undefined)
      place.clock.advance(600_000)
    }
    expect(place.service.declines).toEqual([])
    await desktop.agent.close()
    place.desktops.length = 0
    expect((await place.openAgent()).state.screen).toBe('code')
  })

  it('delivers the refusal to the document that took the place of the one that was refused', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    place.service.documentHash = 'b'.repeat(64)
    await desktop.agent.handlers['consent.decline']({})
    await desktop.until(({ refusal }) => refusal === 'told')
    expect(place.service.declines).toEqual([expect.objectContaining({ documentHash: 'b'.repeat(64) })])
  })

  it('says so where the service does not take the refusal any more', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    place.service.state = 'ended'
    await desktop.agent.handlers['consent.decline']({})
    await desktop.until(({ refusal }) => refusal === 'not_told')
    expect(place.service.declines).toEqual([])
  })

  it('delivers a refusal at the next start where the service was away', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    place.server.script.push('hang_up')
    await desktop.agent.handlers['consent.decline']({})
    await desktop.until(({ refusal }) => refusal === 'sending')
    await desktop.agent.close()
    place.desktops.length = 0
    expect(place.service.declines).toEqual([])
    const second = await place.openAgent()
    await second.until(({ screen, refusal }) => screen === 'refused' && refusal === 'told')
    expect(place.service.declines.length).toBe(1)
  })

  it('goes back from the device check to the page with nothing answered', async () => {
    const desktop = await place.openAgent()
    await desktop.join()
    await desktop.agree()
    await desktop.agent.handlers['check.back']({})
    expect(desktop.state.screen).toBe('consent')
    expect(await desktop.agent.handlers['check.done']({})).toMatchObject({ done: false })
    expect(await desktop.agent.handlers['check.again']({})).toMatchObject({ done: false })
  })
})
