import { describe, expect, it } from 'vitest'
import { until } from '../test-support/until.ts'
import { buildChecked, buildConsent, checkState, consentState, workingCheck } from './states.ts'
import { en, hi } from './texts.ts'
import { previews } from './variants.ts'
import { button, givenWindow, sent, title } from './window.test-support.ts'
import { chromiumPath, type OpenWindow } from './window-under-test.ts'

describe.skipIf(!chromiumPath)('the window', () => {
  const { given } = givenWindow()

  describe('on the consent page', () => {
    const document = buildConsent().document
    const toDocument = async (window: OpenWindow) => {
      await button(window, en.whoNext).click()
      await title(window, en.consentTitle)
    }
    const answer = async ({ page }: OpenWindow, lane: string, name: string) =>
      page.locator(`[data-lane="${lane}"]`).getByRole('radio', { name, exact: true }).check()

    it('says first who asks and what this program is', async () => {
      const asked = consentState({ requiredApps: ['Code editor'] })
      const session = { id: 'ses_1', ...asked.session, callIn: 'Webex' }
      const window = await given({ ...asked, session })
      for (const text of [
        'Harbour & Sons',
        'Meera Nair (meera@harbour.example)',
        'Code editor',
        en.whoCall,
        'Webex',
        en.whoIsText,
        en.whoIsNotText,
      ])
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
        const name = part.getByRole('button', { name: words, exact: true })
        expect(await part.getByText(text).isVisible(), lane).toBe(false)
        await name.click()
        for (const one of [text, en[`why.${lane}`]]) await part.getByText(one).waitFor()
        expect(await name.getAttribute('aria-expanded')).toBe('true')
      }
      // The same for every part, and said once.
      for (const once of ['At most 12 days', 'for example its hiring system'])
        expect(await window.page.getByRole('main').getByText(once).count(), once).toBe(1)
      const often = (lane: string) => window.page.locator(`[data-lane="${lane}"]`).textContent()
      expect(await often('screen')).toContain('every 7 seconds if it has changed')
      expect(await often('microphone')).toContain('in parts of 4 seconds')
      await window.page.getByText(en.generalTitle).click()
      await window.page.getByText('on Wayland the foreground application cannot be observed').waitFor()
      expect(await window.page.getByText('Displays', { exact: true }).count()).toBe(0)
    })

    it('opens every part of the document at once, and folds it again', async () => {
      const window = await given(consentState())
      await toDocument(window)
      await button(window, en.consentReadAll).click()
      for (const { text } of document.lanes) await expect.poll(() => window.page.getByText(text).isVisible()).toBe(true)
      await button(window, en.consentFoldAll).click()
      for (const { text } of document.lanes)
        await expect.poll(() => window.page.getByText(text).isVisible()).toBe(false)
    })

    it('sends an answer to every part of this document, after showing it once more', async () => {
      const window = await given(consentState())
      await toDocument(window)
      await button(window, en.answerAgree).click()
      await window.page
        .getByText(/Please answer yes or no for: Your microphone, Your computer's sound, Your camera/)
        .waitFor()
      expect(await window.page.evaluate('document.activeElement.name')).toBe('answer-microphone')
      for (const lane of ['microphone', 'system_audio', 'camera']) {
        const group = window.page.locator(`[data-lane="${lane}"]`).getByRole('radiogroup')
        const described = await group.getAttribute('aria-describedby')
        expect(await group.getAttribute('aria-invalid'), lane).toBe('true')
        expect(await window.page.locator(`[id="${described}"]`).textContent()).toBe(en.consentChoose)
      }
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
      await window.page.getByText('New wording: Your camera').waitFor()
      expect(await window.page.getByRole('dialog').count()).toBe(0)
      expect(await window.page.evaluate('document.activeElement.textContent')).toBe(en.changesTitle)
      await window.page.getByText('Before: Pictures, one every 15 seconds.').waitFor()
      // The words that are new are open, those that were read are not.
      expect(
        await window.page
          .getByText(changed.document.lanes.find(({ lane }) => lane === 'camera')?.text ?? '?')
          .isVisible(),
      ).toBe(true)
      await expect.poll(() => window.page.getByText(document.lanes[0]?.text ?? '?').isVisible()).toBe(false)
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
      await expect.poll(() => no.isChecked()).toBe(true)
    })

    it("says of the service's words that they are in another language than the window's, and adds no list of its own", async () => {
      const window = await given(consentState({ windowTitles: true }, { locale: 'hi' }))
      await button(window, hi.whoNext).click()
      const part = window.page.locator('[data-lane="signals"]')
      expect(await part.textContent()).toContain(hi.consentFrom)
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

    it('shows one picture large, and another one when its small picture is pressed', async () => {
      const window = await given(workingCheck)
      for (const moment of previews) await window.core.preview(moment)
      const large = window.page.locator('.stage figure img')
      const src = (lane: string, displayId?: string) =>
        previews.find((one) => one.lane === lane && one.displayId === displayId)?.picture
      await until('the camera', async () => (await large.getAttribute('src')) === src('camera'))
      const small = window.page.getByRole('button', { name: /HDMI-1/ })
      await small.click()
      await until('the display', async () => (await large.getAttribute('src')) === src('screen', 'HDMI-1'))
      expect(await small.getAttribute('aria-pressed')).toBe('true')
    })

    it('puts what does not work first, with its next step', async () => {
      const window = await given(
        checkState([buildChecked('microphone'), buildChecked('camera', { state: 'denied', settings: true })]),
      )
      const lanes = window.page.locator('[data-lane]')
      await lanes.first().waitFor()
      expect(await lanes.evaluateAll((all) => all.map((one) => one.getAttribute('data-lane')))).toEqual([
        'camera',
        'microphone',
      ])
      await lanes.first().getByRole('button', { name: en.checkSettings }).waitFor()
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
})
