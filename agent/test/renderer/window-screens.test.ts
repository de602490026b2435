import { describe, expect, it } from 'vitest'
import { problemCodes, screens } from '../../src/shared/ipc/window-state.ts'
import { until } from '../test-support/until.ts'
import { buildState, recordingState } from './states.ts'
import { en, hi } from './texts.ts'
import { type Variant, variantNames, variants } from './variants.ts'
import { button, givenWindow, sent, title } from './window.test-support.ts'
import { chromiumPath, showVariant } from './window-under-test.ts'

describe.skipIf(!chromiumPath)('the window', () => {
  const { given, built } = givenWindow()

  it('weighs less than 110 kB, and its page allows nothing but its own files', () => {
    expect(built().gzippedBytes('.js')).toBeLessThan(110_000)
    expect(built().html).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(built().html).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=/)
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
    await bare?.goto(built().url)
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
      await window.page.getByText('stays encrypted on this computer: 4 items, 412 kB').waitFor()
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
      await expect.poll(() => window.page.getByLabel(en.serverLabel).isVisible()).toBe(false)
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

    it('is filled in by a link that comes while it is open, and says where the code will go', async () => {
      const window = await given(buildState({ server: 'https://x.example' }))
      await window.core.set({ code: 'K7QF-2M9X', server: 'https://y.example' })
      await window.page.getByText(en.codeFromLink).waitFor()
      await window.page.getByText(en.codeServer.replace('{server}', 'https://y.example')).waitFor()
      expect(window.core.inputsOf('session.join')).toEqual([])
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
})
