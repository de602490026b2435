import { type AidName, aidText } from '@integrity/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { invite, onPage, startInviting, type Team } from '../../../server/test/test-support/link-pages.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { invited, openBy } from './invitation-web.test-support.ts'

const chromium = findChromium('declaring aids in a browser')

describe.skipIf(!chromium)('declaring aids in a browser', { timeout: 120_000 }, () => {
  let team: Team
  let browser: Browser
  beforeAll(async () => {
    team = await startInviting()
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await team?.server.stop()
  })
  const usually = { camera: false, locale: 'en-GB' }
  const open = openBy(useVisits({ browser: () => browser, url: () => team.server.url, usually }))

  /** Goes on with the keyboard until the element of this name has the focus. */
  const tabToField = async (page: Page, name: string) => {
    for (let steps = 0; steps < 100; steps += 1) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement?.getAttribute("name") ?? ""')) === name) return
    }
    throw new Error(`the keyboard does not come to ${name}`)
  }
  const tabToButton = async (page: Page, text: string) => {
    for (let steps = 0; steps < 100; steps += 1) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement?.textContent?.trim() ?? ""')) === text) return
    }
    throw new Error(`the keyboard does not come to ${text}`)
  }

  it.each([
    ['en-GB', 'en', invited],
    ['hi-IN', 'hi', undefined],
  ] as const)(
    'by keyboard alone, in the sentence that the organisation reads (%s)',
    async (locale, language, title) => {
      const offered: AidName[] = ['on_screen_keyboard', 'breaks']
      const config = { aids: { offered, breaks: { count: 2, minutes: 5 } } }
      const one = await invite(team, {}, { config })
      const { page } = await open(one.link, { ...usually, locale })
      const sentence = (aid: AidName) => aidText(aid, language)
      await page.getByText(sentence('on_screen_keyboard')).waitFor()
      const headline = title ?? (await page.getByRole('heading', { level: 1 }).innerText())
      await onPage(page, headline)
      await tabToField(page, 'on_screen_keyboard')
      await page.keyboard.press('Space')
      await tabToField(page, 'breaks')
      await page.keyboard.press('Space')
      // What belongs to breaks comes next, and begins with what is offered.
      await page.keyboard.press('Tab')
      expect(await page.locator('select[name=count]').inputValue()).toBe('2')
      expect(await page.locator('select[name=minutes]').inputValue()).toBe('5')
      const button = page.locator('form', { has: page.locator('input[name=breaks]') }).locator('button[type=submit]')
      await tabToButton(page, ((await button.textContent()) ?? '').trim())
      await page.keyboard.press('Enter')
      const declared = page.locator('li[data-aid]')
      await declared.nth(1).waitFor()
      await expect
        .poll(() => declared.allTextContents())
        .toEqual([expect.stringContaining(sentence('on_screen_keyboard')), expect.stringContaining(sentence('breaks'))])
      await onPage(page, headline)
      const { data } = await team.api.call('sessions.get', { params: { id: one.sessionId } })
      expect(data.aids.map(({ aid, state, breaks }) => [aid, state, breaks])).toEqual([
        ['on_screen_keyboard', 'agreed', null],
        ['breaks', 'agreed', { count: 2, minutes: 5 }],
      ])
      expect(data.aids[0]?.text).toBe(aidText('on_screen_keyboard'))
    },
  )
})
