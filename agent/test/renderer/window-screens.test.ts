import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CommandOutput } from '../../src/ipc/channels.ts'
import { problemCodes, screens } from '../../src/ipc/window-state.ts'
import { en } from '../../src/renderer/texts/en.ts'
import { hi } from '../../src/renderer/texts/hi.ts'
import { until } from '../support/until.ts'
import {
  buildChecked,
  buildConsent,
  buildRecorded,
  buildState,
  checkState,
  consentState,
  doneState,
  finishingState,
  recordingState,
  startedAt,
  workingCheck,
} from './states.ts'
import { previews, type Variant, variantNames, variants } from './variants.ts'
import { chromiumPath, type OpenWindow, showVariant, Windows } from './window-under-test.ts'

let windows: Windows
let open: OpenWindow | undefined
const given = async (...args: Parameters<Windows['open']>): Promise<OpenWindow> => {
  open = await windows.open(...args)
  return open
}
const button = ({ page }: OpenWindow, name: string) => page.getByRole('button', { name, exact: true })
const title = ({ page }: OpenWindow, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
/** Everything that was sent so far is there. */
const sent = async ({ core }: OpenWindow, name: string) => {
  await until(name, () => core.sent.some((one) => one.name === name))
  return core.sent.filter((one) => one.name === name).map(({ input }) => input)
}

describe.skipIf(!chromiumPath)('the window', () => {
  beforeAll(async () => {
    windows = await Windows.start()
  })
  afterAll(() => windows?.stop())
  afterEach(async () => {
    expect(open?.errors ?? []).toEqual([])
    await open?.close()
    open = undefined
  })

  it('weighs less than 110 kB, and its page allows nothing but its own files', () => {
    expect(windows.built.gzippedBytes('.js')).toBeLessThan(110_000)
    expect(windows.built.html).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(windows.built.html).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=/)
  })

  it('has a page for every screen, with a heading that has the focus', async () => {
    const window = await given()
    const seen = new Set<string>()
    for (const name of variantNames) {
      await showVariant(window, name)
      seen.add(variants[name].state.screen)
      const heading = window.page.locator('h1')
      expect((await heading.textContent())?.trim(), name).not.toBe('')
      expect(await window.page.title(), name).toContain((await heading.textContent()) ?? '?')
      const { press = [] }: Variant = variants[name]
      if (press.length === 0 && name !== 'consent-changed')
        expect(await heading.evaluate((h) => h === h.ownerDocument.activeElement), name).toBe(true)
    }
    expect([...seen].sort()).toEqual([...screens].sort())
  })

  it('says so where there is no agent, and where it cannot be drawn', async () => {
    const window = await given()
    const context = window.page.context()
    const bare = await context.browser()?.newPage()
    await bare?.goto(windows.built.url)
    await bare?.getByRole('heading', { name: en.noAgentTitle }).waitFor()
    await bare?.close()
    await window.page.evaluate(`agentPush('state', { screen: 'recording', recording: {} })`)
    await title(window, en.brokenTitle)
    window.errors.length = 0
  })

  it('has a title, words and what to do for every problem', async () => {
    const window = await given()
    for (const code of problemCodes) {
      await window.core.show(buildState({ server: 'https://x.example', problem: { code, detail: 'ECONNREFUSED' } }))
      const alert = window.page.getByRole('alert').first()
      await alert.getByText(en[`problem.${code}.title`], { exact: true }).waitFor()
      await alert.getByText(en[`problem.${code}.text`]).waitFor()
      await alert.getByText(en[`problem.${code}.do`]).waitFor()
      await window.core.show(recordingState(undefined, { screen: 'failed', problem: { code } }))
      await title(window, en[`problem.${code}.title`])
      await window.page.getByText(en[`problem.${code}.do`]).waitFor()
      await window.page.getByText('stays encrypted on this computer: 4, 412 kB').waitFor()
    }
  })

  it('changes its language at once, and tells the agent', async () => {
    const window = await given()
    await button(window, 'हिन्दी').click()
    await title(window, hi.codeTitle)
    expect(await sent(window, 'app.locale')).toEqual([{ locale: 'hi' }])
    expect(await window.page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
      'hi',
      'ltr',
    ])
    await window.core.set({ version: '1.4.1' })
    await window.page.getByText('1.4.1').waitFor()
    await title(window, hi.codeTitle)
  })

  it('shows what an unanswered or failed command means', async () => {
    const window = await given(buildState({ server: 'https://x.example' }))
    window.core.answer('session.join', () => ({ done: false, problem: { code: 'too_many_attempts' } }))
    await window.page.getByLabel(en.codeLabel).fill('K7QF2M9X')
    await button(window, en.codeGo).click()
    await window.page.getByText(en['problem.too_many_attempts.text']).waitFor()
    window.core.answer('session.join', () => Promise.reject(new Error('no answer')))
    await button(window, en.codeGo).click()
    await window.page.getByText(en['problem.unexpected.text']).waitFor()
  })

  describe('on the code page', () => {
    it('sends what was typed, as it was typed, without an address that is known', async () => {
      const window = await given(buildState({ server: 'https://x.example' }))
      await button(window, en.codeGo).click()
      await window.page.getByText(en.codeEmpty).waitFor()
      expect(window.core.sent).toEqual([])
      await window.page.getByLabel(en.codeLabel).fill(' k7qf-2m9x ')
      await button(window, en.codeGo).click()
      expect(await sent(window, 'session.join')).toEqual([{ code: 'k7qf-2m9x' }])
    })

    it('takes another address', async () => {
      const window = await given(buildState({ server: 'https://x.example' }))
      expect(await window.page.getByLabel(en.serverLabel).isVisible()).toBe(false)
      await window.page.getByText(en.codeOther).click()
      await window.page.getByLabel(en.serverLabel).fill('https://y.example')
      await window.page.getByLabel(en.codeLabel).fill('K7QF-2M9X')
      await window.page.keyboard.press('Enter')
      expect(await sent(window, 'session.join')).toEqual([{ code: 'K7QF-2M9X', server: 'https://y.example' }])
    })

    it('asks for the address where none is known, and where the one that was typed is wrong', async () => {
      const window = await given()
      await window.page.getByLabel(en.serverLabel).waitFor()
      await window.core.show(buildState({ server: 'http://x.example', problem: { code: 'server_not_https' } }))
      expect(await window.page.getByLabel(en.serverLabel).getAttribute('aria-invalid')).toBe('true')
    })

    it('is filled in by a link that comes while it is open', async () => {
      const window = await given(buildState({ server: 'https://x.example' }))
      await window.core.set({ code: 'K7QF-2M9X', server: 'https://y.example' })
      await window.page.getByText(en.codeFromLink).waitFor()
      await button(window, en.codeGo).click()
      expect(await sent(window, 'session.join')).toEqual([{ code: 'K7QF-2M9X' }])
    })

    it('sends a code once, however often the button is pressed', async () => {
      const window = await given(buildState({ server: 'https://x.example', code: 'K7QF-2M9X' }))
      let answer = () => {}
      window.core.answer('session.join', () => new Promise((done) => (answer = () => done({ done: true }))))
      for (let n = 0; n < 3; n++) await button(window, en.codeGo).click({ force: true })
      expect(await button(window, en.codeGo).getAttribute('aria-disabled')).toBe('true')
      answer()
      await until('the button', async () => (await button(window, en.codeGo).getAttribute('aria-disabled')) === 'false')
      expect(window.core.inputsOf('session.join')).toHaveLength(1)
    })
  })

  it('can give the joining up', async () => {
    const window = await given(buildState({ screen: 'joining' }))
    await button(window, en.back).click()
    expect(await sent(window, 'session.forget')).toEqual([{}])
  })

  describe('on the consent page', () => {
    const document = buildConsent().document
    const toDocument = async (window: OpenWindow) => {
      await button(window, en.whoNext).click()
      await title(window, en.consentTitle)
    }
    const answer = async ({ page }: OpenWindow, lane: string, name: string) =>
      page.locator(`[data-lane="${lane}"]`).getByRole('radio', { name, exact: true }).check()

    it('says first who asks and what this program is', async () => {
      const window = await given(consentState({ requiredApps: ['Code editor'] }))
      for (const text of ['Harbour & Sons', 'A. Candidate', 'Code editor', en.whoIsText, en.whoIsNotText])
        await window.page.getByText(text, { exact: true }).first().waitFor()
      await toDocument(window)
      await button(window, en.back).click()
      await title(window, en.whoTitle)
    })

    it("shows the service's words for every part, and how often, how long and to whom by the policy", async () => {
      const policy = {
        retentionDays: 12,
        capture: { screenshotIntervalSeconds: 7 },
        audio: { transcript: true, chunkSeconds: 4 },
      }
      const window = await given(consentState(policy))
      await toDocument(window)
      for (const { lane, title: words, text } of buildConsent(policy).document.lanes) {
        const part = window.page.locator(`[data-lane="${lane}"]`)
        await part.getByRole('heading', { name: words, exact: true }).waitFor()
        for (const one of [text, en[`why.${lane}`], 'at most 12 days', 'has given access'])
          expect(await part.textContent(), lane).toContain(one)
      }
      const often = (lane: string) => window.page.locator(`[data-lane="${lane}"]`).textContent()
      expect(await often('screen')).toContain('every 7 seconds if it has changed')
      expect(await often('microphone')).toContain('in pieces of 4 seconds')
      await window.page.getByText('on Wayland the foreground application cannot be observed').waitFor()
      expect(await window.page.getByText('Displays', { exact: true }).count()).toBe(0)
    })

    it('sends an answer to every part of this document, after showing it once more', async () => {
      const window = await given(consentState())
      await toDocument(window)
      await button(window, en.answerAgree).click()
      await window.page
        .getByText(/Please answer yes or no for: Your microphone, Your computer's sound, Your camera/)
        .waitFor()
      expect(await window.page.evaluate('document.activeElement.name')).toBe('answer-microphone')
      await answer(window, 'microphone', en.yes)
      await answer(window, 'system_audio', en.no)
      await answer(window, 'camera', en.no)
      await button(window, en.answerAgree).click()
      await window.page.getByRole('dialog').getByText(en.confirmAgreeNo).waitFor()
      expect(window.core.sent).toEqual([])
      await button(window, en.confirmSend).click()
      expect(await sent(window, 'consent.agree')).toEqual([
        {
          hash: document.hash,
          answers: { screen: true, microphone: true, system_audio: false, camera: false, signals: true },
        },
      ])
    })

    it('lets one decline everything in as many steps as agree', async () => {
      const window = await given(consentState())
      await toDocument(window)
      await button(window, en.answerDecline).click()
      await window.page.getByRole('dialog').getByRole('button', { name: en.back }).click()
      expect(window.core.sent).toEqual([])
      await button(window, en.answerDecline).click()
      await button(window, en.confirmSend).click()
      expect(await sent(window, 'consent.decline')).toEqual([{}])
      const [agree, decline] = [button(window, en.answerAgree), button(window, en.answerDecline)]
      await window.page.mouse.move(0, 0)
      const looks = (one: typeof agree) =>
        one.evaluate((b) => {
          const { backgroundColor, color, fontSize, borderColor } = b.ownerDocument.defaultView.getComputedStyle(b)
          return [backgroundColor, color, fontSize, borderColor]
        })
      expect(await looks(agree)).toEqual(await looks(decline))
      expect((await looks(agree))[0]).toMatch(/^rgb/)
    })

    it('shows what changed first, with the focus there, and asks anew only for that', async () => {
      const window = await given(consentState())
      await toDocument(window)
      for (const lane of ['microphone', 'system_audio', 'camera']) await answer(window, lane, en.yes)
      await button(window, en.answerAgree).click()
      await window.page.getByRole('dialog').waitFor()
      const changed = buildConsent({ camera: { stillIntervalSeconds: 3 } })
      await window.core.set({
        consent: {
          ...changed,
          changes: [{ what: 'lane_text', lane: 'camera', before: 'Pictures, one every 15 seconds.' }],
        },
      })
      await window.page.getByText('Other words: Your camera').waitFor()
      expect(await window.page.getByRole('dialog').count()).toBe(0)
      expect(await window.page.evaluate('document.activeElement.textContent')).toBe(en.changesTitle)
      await window.page.getByText('Before: Pictures, one every 15 seconds.').waitFor()
      await button(window, en.answerAgree).click()
      await window.page.getByText('Please answer yes or no for: Your camera').waitFor()
      await answer(window, 'camera', en.no)
      await button(window, en.answerAgree).click()
      await button(window, en.confirmSend).click()
      expect(await sent(window, 'consent.agree')).toEqual([
        {
          hash: changed.document.hash,
          answers: { screen: true, microphone: true, system_audio: true, camera: false, signals: true },
        },
      ])
    })

    it('has the answers still when one comes back from the device check', async () => {
      const window = await given(consentState())
      await toDocument(window)
      await answer(window, 'camera', en.no)
      await window.core.show(workingCheck)
      await title(window, en.checkTitle)
      await window.core.show(consentState())
      await title(window, en.consentTitle)
      const no = window.page.locator('[data-lane="camera"]').getByRole('radio', { name: en.no, exact: true })
      expect(await no.isChecked()).toBe(true)
    })

    it("says the sense of the service's words in the language of the window, and keeps the words beside it", async () => {
      const window = await given(consentState({ windowTitles: true }, { locale: 'hi' }))
      await button(window, hi.whoNext).click()
      const part = window.page.locator('[data-lane="signals"]')
      expect(await part.textContent()).toContain(hi['what.windowTitles'])
      const words = buildConsent({ windowTitles: true }).document.lanes.find(({ lane }) => lane === 'signals')?.text
      expect(await part.locator('blockquote[lang="en"]').textContent()).toContain(words)
    })
  })

  describe('on the device check', () => {
    it('shows the picture of each display and of the camera, and how loud it is', async () => {
      const window = await given(workingCheck)
      for (const moment of previews) await window.core.preview(moment)
      for (const alt of [
        'What is on the display eDP-1 now',
        'What is on the display HDMI-1 now',
        en.checkCameraPicture,
      ]) {
        const picture = window.page.getByAltText(alt)
        await picture.waitFor()
        await until(alt, () => picture.evaluate((image: { naturalWidth?: number }) => image.naturalWidth === 320))
      }
      const meter = window.page.getByRole('meter', { name: 'Loudness of: Your microphone' })
      await until('the level', () => meter.evaluate((m: { value?: number }) => m.value === -24))
      expect(await meter.getAttribute('aria-valuetext')).toBe(en['level.good'])
      await window.core.preview({ lane: 'microphone', levelDb: -120 })
      await until('silence', async () => (await meter.getAttribute('aria-valuetext')) === en['level.none'])
    })

    it('shows nothing that is not a picture, and nothing of an earlier check', async () => {
      const window = await given(workingCheck)
      await window.core.preview({ lane: 'camera', picture: 'https://elsewhere.example/x.jpg' })
      for (const moment of previews.slice(0, 1)) await window.core.preview(moment)
      await window.page.getByAltText('What is on the display eDP-1 now').waitFor()
      expect(await window.page.getByAltText(en.checkCameraPicture).count()).toBe(0)
      await window.core.show(consentState())
      await title(window, en.whoTitle)
      await window.core.show(workingCheck)
      await title(window, en.checkTitle)
      expect(await window.page.getByRole('img').count()).toBe(0)
    })

    it('sends what each of its buttons says', async () => {
      const window = await given(
        checkState(
          [
            buildChecked('camera', {
              state: 'denied',
              settings: true,
              needsRestart: true,
              device: 'One',
              devices: [
                { id: 'a', label: 'One' },
                { id: 'b', label: 'Two' },
              ],
            }),
            buildChecked('system_audio'),
          ],
          { platform: 'darwin' },
        ),
      )
      await button(window, en.checkSettings).click()
      await button(window, `${en.checkAgain}: Your camera`).click()
      await window.page.getByLabel(en.checkDevice).selectOption('Two')
      await button(window, en.speakerPlay).click()
      await button(window, en.checkAllAgain).click()
      await button(window, en.checkBack).click()
      await button(window, en.quit).click()
      await sent(window, 'app.quit')
      expect(window.core.sent).toEqual([
        { name: 'check.settings', input: { lane: 'camera' } },
        { name: 'check.again', input: { lane: 'camera' } },
        { name: 'check.choose', input: { lane: 'camera', deviceId: 'b' } },
        { name: 'check.speaker', input: {} },
        { name: 'check.again', input: {} },
        { name: 'check.back', input: {} },
        { name: 'app.quit', input: {} },
      ])
    })

    it('begins at once when everything works, and asks first when something does not', async () => {
      const window = await given(workingCheck)
      await button(window, en.checkBegin).click()
      expect(await sent(window, 'check.done')).toEqual([{}])
      await window.core.show(checkState([buildChecked('camera', { state: 'missing' }), buildChecked('signals')]))
      await window.page.getByText('Not working yet: Your camera').waitFor()
      await button(window, en.checkBegin).click()
      await window.page.getByRole('dialog').getByText('Not working: Your camera').waitFor()
      expect(window.core.inputsOf('check.done')).toHaveLength(1)
      await button(window, en.beginConfirm).click()
      await until('the second', () => window.core.inputsOf('check.done').length === 2)
    })

    it.each(['linux', 'darwin', 'win32', 'other'] as const)(
      'has steps for a permission on %s, each with a drawing',
      async (platform) => {
        const window = await given()
        for (const lane of ['screen', 'camera', 'microphone', 'system_audio'] as const) {
          await window.core.show(checkState([buildChecked(lane, { state: 'denied' })], { platform }))
          const steps = window.page.locator(`[data-lane="${lane}"] .steps li`)
          await steps.first().waitFor()
          expect(await steps.count()).toBeGreaterThan(1)
          expect(await steps.locator('svg').count()).toBe(await steps.count())
        }
      },
    )

    it.each(['idle', 'playing', 'heard', 'not_heard'] as const)('says of the speaker: %s', async (speakerTest) => {
      const window = await given({ ...workingCheck, check: { lanes: workingCheck.check?.lanes ?? [], speakerTest } })
      await window.page.getByText(en[`speaker.${speakerTest}`], { exact: true }).waitFor()
    })
  })

  describe('while it records', () => {
    it('counts the time from the beginning', async () => {
      const window = await given()
      await window.page.clock.install({ time: startedAt + 65_000 })
      await window.page.reload()
      await window.core.show(recordingState())
      const timer = window.page.getByRole('timer', { name: en.elapsed })
      await until('the first time', async () => (await timer.textContent()) === '0:01:05')
      await window.page.clock.runFor(3_540_000)
      await until('an hour', async () => (await timer.textContent()) === '1:00:05')
    })

    it('has a light, words and counts for each lane', async () => {
      const window = await given(variants['recording-trouble'].state)
      const row = (lane: string) => window.page.locator(`.lane[data-lane="${lane}"]`)
      const shape = (lane: string) => row(lane).locator('svg.light').first().innerHTML()
      expect(await row('microphone').textContent()).toContain(`${en['state.down']}${en['reason.unplugged']}`)
      expect(await row('screen').textContent()).toContain('Display HDMI-1: Not recording at the moment')
      expect(await row('signals').textContent()).toContain('Noted: 1,234')
      expect(await row('screen').textContent()).toContain('Observed time: 0:04:05 of 0:04:05')
      const shapes = new Set(
        await Promise.all(['screen', 'microphone', 'system_audio', 'camera', 'signals'].map(shape)),
      )
      expect(shapes.size).toBe(5)
    })

    it('says how the connection is, what waits, that the clock is off, and what became of items', async () => {
      const window = await given(variants['recording-trouble'].state)
      for (const text of [
        en.networkKept,
        'items: 240, notes: 31, 51 MB',
        '4 minutes ahead',
        'left out: 1,200',
        '1.5.0 is ready',
      ])
        await window.page.getByText(text).first().waitFor()
      await window.core.set({ clockAheadMs: -5_200, network: { state: 'slowed', live: true } })
      await window.page.getByText('5 seconds behind').waitFor()
      await window.page.getByText(en.networkSlowedText).waitFor()
      await window.page.getByRole('button', { name: en.dismiss }).first().click()
      expect(await sent(window, 'notice.dismiss')).toEqual([{ id: 'n1' }])
    })

    it('pauses and goes on without moving the focus, where the policy allows it', async () => {
      const window = await given(recordingState())
      await button(window, en.pause).click()
      expect(await sent(window, 'recording.pause')).toEqual([{}])
      await window.core.show(variants.paused.state)
      await button(window, en.resume).waitFor()
      expect(await window.page.evaluate('document.activeElement.textContent')).toBe(en.resume)
      await button(window, en.resume).click()
      expect(await sent(window, 'recording.resume')).toEqual([{}])
      await window.core.show(
        recordingState([], { recording: { startedAt, pauseAllowed: false, lanes: [], requiredApps: [] } }),
      )
      await title(window, en.recordingTitle)
      expect(await button(window, en.pause).count()).toBe(0)
    })

    it('withdraws one lane after saying what it means, and ends after asking', async () => {
      const window = await given(recordingState())
      await button(window, 'Withdraw: Your camera').click()
      await window.page.getByRole('dialog').getByText(en.withdrawText).waitFor()
      await window.page.keyboard.press('Escape')
      expect(window.core.sent).toEqual([])
      await button(window, 'Withdraw: Your screen').click()
      await window.page.getByRole('dialog').getByText(en.withdrawRequired).waitFor()
      await window.page.getByRole('dialog').getByRole('button', { name: en.withdrawConfirm }).click()
      expect(await sent(window, 'recording.withdraw')).toEqual([{ lane: 'screen' }])
      await button(window, en.end).click()
      await button(window, en.endConfirm).click()
      expect(await sent(window, 'recording.end')).toEqual([{}])
    })

    it('offers no withdrawal of what is not recorded', async () => {
      const window = await given(recordingState([buildRecorded('camera', { state: 'declined', withdrawable: false })]))
      await window.page.getByText(en['state.declined']).waitFor()
      expect(await window.page.getByRole('button', { name: /^Withdraw/ }).count()).toBe(0)
    })

    it('reads out what was lost and what came back, and no counts', async () => {
      const window = await given(recordingState([buildRecorded('camera')]))
      const announcer = window.page.locator('[data-part="announcer"]')
      expect(await announcer.getAttribute('role')).toBe('status')
      const says = (text: string) => until(text, async () => (await announcer.textContent()) === text)
      await window.core.show(recordingState([buildRecorded('camera', { captured: 99 })]))
      await window.page.getByText('Recorded: 99').waitFor()
      expect(await announcer.textContent()).toBe('')
      await window.core.show(recordingState([buildRecorded('camera', { state: 'down', reason: 'unplugged' })]))
      await says('Your camera: Not recording at the moment')
      await window.core.show(recordingState([buildRecorded('camera')]))
      await says('Your camera: recording again')
      await window.core.set({ network: { state: 'offline', live: false } })
      await says(en['said.offline'])
      await window.core.show(variants.paused.state)
      await says(en.pausedState)
      expect(await window.page.locator('[aria-live="assertive"]').count()).toBe(0)
    })

    it('pairs a phone: a picture that holds the link, a code to type, and how the phone is', async () => {
      const window = await given(recordingState())
      await button(window, en.phoneInvite).click()
      expect(await sent(window, 'phone.invite')).toEqual([{}])
      await window.core.set({ phone: { state: 'asking' } })
      await window.page.getByText(en.phoneAsking).waitFor()
      const code = variants['recording-phone-code'].state
      await window.core.show(code)
      const qr = window.page.getByRole('img', { name: en.phoneQr })
      await qr.waitFor()
      const dark = code.phone?.qr?.join('').replaceAll('0', '').length ?? 0
      expect(((await qr.locator('path').getAttribute('d')) ?? '').split('M').length - 1).toBe(dark)
      await window.page.getByText('K7QF-2M9X').waitFor()
      await window.page.getByText('Or open https://interviews.harbour.example/companion/ on the phone').waitFor()
      await button(window, en.phoneCancel).click()
      expect(await sent(window, 'phone.cancel')).toEqual([{}])
      await window.core.show(variants['recording-phone'].state)
      for (const text of [en['phone.paired'], '62%, charging', en.phonePlacedYes, en['phoneRecording.on']])
        await window.page.getByText(text, { exact: true }).waitFor()
      await window.core.set({ phone: { state: 'ended' } })
      await button(window, en.phoneAgain).waitFor()
      await window.core.set({ phone: { state: 'not_wanted' } })
      await until('no phone', async () => (await window.page.getByText(en.phoneTitle).count()) === 0)
    })
  })

  describe('at the end', () => {
    it('counts down what is unsent, and may be left to the background', async () => {
      const window = await given({ ...finishingState, unsent: { items: 12, events: 3, bytes: 9_000_000 } })
      const left = window.page.locator('[data-count="left"]')
      expect(await left.textContent()).toBe('15 9 MB')
      await window.core.set({ unsent: { items: 1, events: 0, bytes: 70_000 } })
      await until('less', async () => (await left.textContent()) === '1 70 kB')
      await button(window, en.finishingBackground).click()
      expect(await sent(window, 'app.background')).toEqual([{}])
    })

    it('says what was sent, type by type, and how to ask for it later', async () => {
      const window = await given(doneState)
      const facts = (await window.page.locator('.sums').textContent()) ?? ''
      for (const text of [
        'Pictures of displays352',
        'Sound of the microphone360',
        'Notes about the computer87',
        '58.3 MB',
      ])
        expect(facts).toContain(text)
      expect(await window.page.locator('.selectable').allTextContents()).toEqual([
        doneState.session?.requestsAddress,
        doneState.session?.id,
        'Harbour & Sons',
        en.doneAskInviter,
      ])
      expect(await window.page.locator('a').count()).toBe(0)
      const { session } = doneState
      await window.core.set({ session: { ...session!, privacyContact: 'privacy@harbour.example' } })
      await window.page.getByText('privacy@harbour.example', { exact: true }).waitFor()
      expect(await window.page.getByText(en.doneAskInviter).count()).toBe(0)
      expect(await window.page.locator('a').count()).toBe(0)
      await button(window, en.toCode).click()
      expect(await sent(window, 'session.forget')).toEqual([{}])
      await window.core.set({ unsent: { items: 2, events: 0, bytes: 100 } })
      await window.page.getByText('Not sent: 2').waitFor()
      expect(await window.page.getByText(en.doneText).count()).toBe(0)
    })

    it.each([
      ['done', doneState],
      ['finishing', finishingState],
      ['failed', variants.failed.state],
    ])('leads from the %s page to what is kept, asks once, and says what came of it', async (_screen, state) => {
      const window = await given(state)
      const { page, core } = window
      const said = page.locator('[data-part="requests"]')
      let answer = (_with: CommandOutput<'requests.open'>) => {}
      core.answer('requests.open', () => new Promise((done) => (answer = done)))
      const way = button(window, en.requestsOpen)
      await way.click()
      await said.getByText(en.requestsOpening).waitFor()
      expect(await way.getAttribute('aria-disabled')).toBe('true')
      await page.keyboard.press('Enter')
      answer({ done: true, opened: 'link' })
      await said.getByText(en['requestsOpened.link']).waitFor()
      expect(await sent(window, 'requests.open')).toEqual([{}])
      expect(await way.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
      core.answer('requests.open', () => ({ done: true, opened: 'address' }))
      await way.click()
      await said.getByText(en['requestsOpened.address']).waitFor()
      core.answer('requests.open', () => ({ done: false, problem: { code: 'server_unreachable' } }))
      await way.click()
      await page.getByRole('alert').getByText(en['problem.server_unreachable.text']).waitFor()
      expect((await said.textContent())?.trim()).toBe('')
      core.answer('requests.open', () => Promise.reject(new Error('no answer')))
      await way.click()
      await page.getByRole('alert').getByText(en['problem.unexpected.text']).waitFor()
      expect(core.inputsOf('requests.open')).toHaveLength(4)
    })

    it('offers no way to what is kept where nothing can be kept', async () => {
      const { requestsAddress: _, ...session } = doneState.session!
      const window = await given({ ...doneState, session })
      await window.page.getByText(en.doneLaterName).waitFor()
      expect(await button(window, en.requestsOpen).count()).toBe(0)
      await window.core.show({ ...variants.failed.state, session })
      await title(window, en['problem.signed_out.title'])
      expect(await window.page.getByText(en.doneLaterTitle).count()).toBe(0)
    })

    it('says plainly that the session was removed, and claims nothing was sent that was not', async () => {
      const window = await given({ ...doneState, ended: { by: 'service', at: startedAt, removed: true } })
      await window.page.getByText(en.doneRemoved).waitFor()
      expect(await window.page.getByText(en.doneText).count()).toBe(0)
      expect(await window.page.getByText(en.finishingByService).count()).toBe(0)
      const notices = [{ id: 'n', kind: 'refused_items', at: startedAt, items: 3 } as const]
      await window.core.show({ ...doneState, notices })
      await window.page.getByText(en.doneRefused).waitFor()
      expect(await window.page.getByText(en.doneText).count()).toBe(0)
    })

    it('stays calm where the answer was no', async () => {
      const window = await given(variants.refused.state)
      await window.page.getByText('Nothing was recorded, and this program sent nothing.').waitFor()
      await button(window, en.quit).click()
      expect(await sent(window, 'app.quit')).toEqual([{}])
    })

    it('explains a version that is too old, and installs a newer one when asked', async () => {
      const window = await given(variants['update-downloading'].state)
      await window.page.getByText('31 MB / 96 MB').waitFor()
      await window.page.getByText('1.5.0 or newer').waitFor()
      expect(
        await window.page.getByRole('progressbar').evaluate((p: { value?: number; max?: number }) => [p.value, p.max]),
      ).toEqual([31_000_000, 96_000_000])
      await window.core.show(variants['update-ready'].state)
      await button(window, en.updateInstall).click()
      expect(await sent(window, 'update.install')).toEqual([{}])
      await window.core.show(variants['update-refused'].state)
      await window.page.getByText(en.updateRefused).waitFor()
      await window.page.getByText(en.updateAsk).waitFor()
    })
  })
})
