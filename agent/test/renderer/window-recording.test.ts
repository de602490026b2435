import { describe, expect, it } from 'vitest'
import type { CommandOutput } from '../../src/shared/ipc/channels.ts'
import { until } from '../test-support/until.ts'
import { breakState, buildRecorded, doneState, finishingState, recordingState, startedAt } from './states.ts'
import { en } from './texts.ts'
import { previews, variants } from './variants.ts'
import { button, givenWindow, sent, title } from './window.test-support.ts'
import { chromiumPath } from './window-under-test.ts'

describe.skipIf(!chromiumPath)('the window', () => {
  const { given } = givenWindow()

  describe('while it records', () => {
    it('counts the time from the beginning', async () => {
      const window = await given()
      await window.page.clock.install({ time: startedAt + 65_000 })
      await window.page.reload()
      await window.core.show(recordingState())
      const timer = window.page.getByRole('timer', { name: en.elapsed })
      // The page's clock goes on from there while the page is loaded.
      await until('the first time', async () => /^0:01:(0[5-9]|[1-5]\d)$/.test((await timer.textContent()) ?? ''))
      await window.page.clock.runFor(3_540_000)
      await until('an hour', async () => /^1:00:(0[5-9]|[1-5]\d)$/.test((await timer.textContent()) ?? ''))
    })

    it('has a light, words and counts for each lane', async () => {
      const window = await given(variants['recording-trouble'].state)
      const row = (lane: string) => window.page.locator(`.lane[data-lane="${lane}"]`)
      const shape = (lane: string) => row(lane).locator('svg.light').first().innerHTML()
      expect(await row('microphone').textContent()).toContain(`${en['state.down']}${en['reason.unplugged']}`)
      expect(await row('screen').textContent()).toContain('Display HDMI-1: Not recording at the moment')
      expect(await row('signals').textContent()).toContain('1,234 events')
      expect(await row('screen').textContent()).toContain('Recorded time: 0:04:05 of 0:04:05')
      const shapes = new Set(
        await Promise.all(['screen', 'microphone', 'system_audio', 'camera', 'signals'].map(shape)),
      )
      expect(shapes.size).toBe(5)
    })

    it('shows the last picture of each lane and how loud it is, and none of what does not record', async () => {
      const window = await given(recordingState())
      for (const moment of previews) await window.core.preview(moment)
      const row = (lane: string) => window.page.locator(`.lane[data-lane="${lane}"]`)
      const pictures = (lane: string) =>
        row(lane)
          .getByRole('img')
          .evaluateAll((all) => all.map((one) => one.src))
      const of = (lane: string) => previews.flatMap((one) => (one.lane === lane ? (one.picture ?? []) : []))
      await until('both displays', async () => (await row('screen').getByRole('img').count()) === 2)
      expect(await pictures('screen')).toEqual(of('screen'))
      expect(await pictures('camera')).toEqual(of('camera'))
      const meter = row('microphone').getByRole('meter')
      await until('the level', () => meter.evaluate((m: { value?: number }) => m.value === -24))
      // A pause keeps them, and shows none.
      await window.core.show(variants.paused.state)
      await until('paused', async () => (await window.page.getByRole('img').count()) === 0)
      expect(await window.page.getByRole('meter').count()).toBe(0)
      await window.core.show(recordingState())
      await until('back', async () => (await pictures('camera')).length === 1)
      await window.core.show(recordingState([buildRecorded('camera', { state: 'down', reason: 'unplugged' })]))
      await window.page.getByText(en['reason.unplugged']).waitFor()
      expect(await pictures('camera')).toEqual([])
    })

    it('says in one line whether everything works, and what does not', async () => {
      const window = await given(recordingState())
      await window.page.getByText(en.recordingWell).waitFor()
      await window.core.show(variants['recording-trouble'].state)
      await window.page
        .getByText('Not working, or only in part: Your screen, Your microphone', { exact: true })
        .waitFor()
      // What has only begun, or cannot be kept, is not said to work.
      const well = window.page.getByText(en.recordingWell)
      await window.core.show(recordingState([buildRecorded('screen', { state: 'starting' })]))
      await until('starting', async () => (await well.count()) === 0)
      const notices = [{ id: 'full', kind: 'storage_full', at: startedAt } as const]
      await window.core.show(recordingState(undefined, { notices }))
      await until('full', async () => (await window.page.getByText(en['notice.storage_full']).count()) === 1)
      expect(await well.count()).toBe(0)
      await window.page.getByText(en.nextEnd.replace('{org}', 'Harbour & Sons')).waitFor()
    })

    it('says how the connection is, what waits, that the clock is off, and what became of items', async () => {
      const window = await given(variants['recording-trouble'].state)
      for (const text of [
        en.networkKept,
        '240 items and 31 events, 51 MB',
        '4 minutes ahead',
        'so 1,200 older pictures were removed',
        '1.5.0 is ready',
      ])
        await window.page.getByText(text).first().waitFor()
      await window.core.set({ clockAheadMs: -5_200, network: { state: 'slowed', live: true } })
      await window.page.getByText('5 seconds behind').waitFor()
      await window.page.getByText(en.networkSlowedText).waitFor()
      await window.page.getByRole('button', { name: en.dismiss }).first().click()
      expect(await sent(window, 'notice.dismiss')).toEqual([{ id: 'n1' }])
    })

    it('says what the video call is held in while there is one, beside the programs that are needed', async () => {
      const session = { id: 'ses_1' }
      const recording = { startedAt, pauseAllowed: false, lanes: [], requiredApps: ['Code editor'] }
      const window = await given(recordingState([], { session: { ...session, callIn: 'Zoom' }, recording }))
      await window.page.getByText('The video call is held in: Zoom', { exact: true }).waitFor()
      await window.core.show(recordingState([], { session, recording }))
      await window.page.getByText('held in').waitFor({ state: 'detached' })
      await window.page.getByText('Programs the interview needs: Code editor', { exact: true }).waitFor()
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

    it('takes an agreed break with one press, says when it ends by itself, and keeps the focus', async () => {
      const window = await given(breakState({ left: 2 }))
      const begin = en.breakBegin.replace('{minutes}', '5').replace('{left}', '2')
      await button(window, begin).focus()
      await window.page.keyboard.press('Enter')
      expect(await sent(window, 'recording.break')).toEqual([{}])
      await window.core.show(breakState({ left: 1, endsAt: startedAt + 300_000 }))
      await button(window, en.breakEnd).waitFor()
      await window.page.getByText(en.breakState, { exact: true }).waitFor()
      await window.page.getByText(/^The recording goes on by itself in /).waitFor()
      expect(await window.page.evaluate('document.activeElement.textContent')).toBe(en.breakEnd)
      await window.page.keyboard.press('Enter')
      expect(await sent(window, 'recording.resume')).toEqual([{}])
      await window.core.show(breakState({ left: 1 }))
      await button(window, begin.replace('2 left', '1 left')).waitFor()
      // A third where two were agreed is not offered.
      await window.core.show(breakState({ left: 0 }))
      await title(window, en.recordingTitle)
      await window.page.getByRole('button', { name: /^Take a break/ }).waitFor({ state: 'detached' })
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
      await window.page.getByText('99 items recorded').waitFor()
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
      expect(await left.textContent()).toBe('15 items 9 MB')
      await window.core.set({ unsent: { items: 1, events: 0, bytes: 70_000 } })
      await until('less', async () => (await left.textContent()) === '1 item 70 kB')
      await button(window, en.finishingBackground).click()
      expect(await sent(window, 'app.background')).toEqual([{}])
    })

    it('says what was sent, type by type, and how to ask for it later', async () => {
      const window = await given(doneState)
      const facts = (await window.page.locator('.sums').textContent()) ?? ''
      for (const text of [
        'Pictures of displays352',
        'Sound of the microphone360',
        'Events on the computer87',
        '58.3 MB',
      ])
        expect(facts).toContain(text)
      await expect
        .poll(() => window.page.locator('.selectable').allTextContents())
        .toEqual([
          doneState.session?.requestsAddress,
          doneState.session?.id,
          'Harbour & Sons',
          'Meera Nair (meera@harbour.example)',
        ])
      expect(await window.page.locator('a').count()).toBe(0)
      const { session } = doneState
      const { inviter: _, ...ofNobody } = session!
      await window.core.set({ session: ofNobody })
      await window.page.getByText(en.doneAskInviter).waitFor()
      await window.core.set({ session: { ...session!, privacyContact: 'privacy@harbour.example' } })
      // Where it is asked about, and at the foot of the page.
      for (const role of ['main', 'contentinfo'] as const)
        await window.page.getByRole(role).getByText('privacy@harbour.example', { exact: true }).waitFor()
      expect(await window.page.getByText(en.doneAskInviter).count()).toBe(0)
      expect(await window.page.locator('a').count()).toBe(0)
      await button(window, en.toCode).click()
      expect(await sent(window, 'session.forget')).toEqual([{}])
      await window.core.set({ unsent: { items: 2, events: 0, bytes: 100 } })
      await window.page.getByText('2 items were not sent.').waitFor()
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
      await window.page.getByText('has your answer and decides what happens next.').waitFor()
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
