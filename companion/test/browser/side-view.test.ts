import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../server/src/platform/clock.ts'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  beyondEdges,
  bringForward,
  buildCompanionClient,
  newPhoneLink,
} from '../../../server/test/test-support/companion-pages.ts'
import { phoneToLive, pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, cameraArgs, smallTargets } from '../../../server/test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

/** A lock on the screen for a test to look at; a browser without a screen gives none. */
const keepLock = `Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
  window.lock = { released: false, release: async () => { window.lock.released = true } }
  return window.lock
} } })`

const chromium = findChromium('the side view on a small phone')

describe.skipIf(!chromium)('the side view on a small phone', { timeout: 120_000 }, () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    buildCompanionClient()
    server = await startServer({ overrides: { clock: systemClock } })
    browser = await sharedChromium(chromium, cameraArgs)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await server?.stop()
  })
  const visit = useVisits({ browser: () => browser, url: () => server.url, usually: { width: 320, height: 568 } })
  const sound = async (page: Page): Promise<void> => {
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await beyondEdges(page)).toBeLessThanOrEqual(0)
    expect(await smallTargets(page)).toEqual([])
  }
  const live = async (recording: boolean) => {
    const phone = await newPhoneLink(server, server.client(server.orgs[0].sandboxKey), recording)
    const { page, context } = await visit()
    await page.addInitScript(keepLock)
    await page.clock.install()
    await page.goto(phone.link)
    await phoneToLive(page)
    return { page, context }
  }
  /** Whether the whole button is on the screen, without scrolling. */
  const inView = async (page: Page, name: string): Promise<boolean> => {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox()
    return box !== null && box.y >= 0 && box.y + box.height <= 568
  }
  const resting = (page: Page) => page.getByRole('button', { name: /Touch the screen to see it again/ })

  it('keeps what stops it in view, and asks before it stops', async () => {
    const { page } = await live(true)
    await page.getByText('Recording', { exact: true }).waitFor()
    expect(await inView(page, 'Stop and disconnect')).toBe(true)
    await page.getByText('Not recorded: sound, and anything else on this phone.').scrollIntoViewIfNeeded()
    expect(await inView(page, 'Stop and disconnect')).toBe(true)
    await sound(page)
    await pressOn(page, 'Stop and disconnect')
    await page.getByRole('heading', { name: 'Stop the side view now?' }).waitFor()
    expect(await inView(page, 'Stop')).toBe(true)
    await sound(page)
    await pressOn(page, 'Go on')
    await expect.poll(() => page.locator('video').count()).toBe(1)
    await pressOn(page, 'Stop and disconnect')
    await pressOn(page, 'Stop')
    await titleOn(page, 'Done')
  })

  it('says whose interview it is, who sees it, and what is not recorded', async () => {
    const { page } = await live(false)
    const said = await page.getByRole('main').innerText()
    for (const text of ['Your interview with', 'small live picture. It is not kept.', 'Not recorded: sound'])
      expect(said).toContain(text)
  })

  it('says in numbers and nouns what is still being sent', async () => {
    const { page, context } = await live(true)
    await page.getByText('Recording', { exact: true }).waitFor()
    await context.setOffline(true)
    await bringForward(page, false)
    await bringForward(page, true)
    // What a slow phone had sent before it lost its network is not waiting any more.
    const messages = '(?:1 short message|\\d+ short messages)'
    const waiting = new RegExp(`^(?:(?:1 recording|\\d+ recordings)(?: and ${messages})?|${messages})$`)
    await page.getByText(waiting).waitFor({ timeout: 60_000 })
    await sound(page)
  })

  it('rests after a minute without a touch, goes on behind it, and wakes by a touch, a key and a trouble', async () => {
    const { page } = await live(true)
    await page.getByText('Recording', { exact: true }).waitFor()
    expect(await resting(page).count()).toBe(0)
    await page.clock.fastForward(61_000)
    await resting(page).waitFor()
    await sound(page)
    expect(await resting(page).innerText()).toContain('Recording')
    expect(await page.evaluate("document.querySelector('video').srcObject.getVideoTracks()[0].readyState")).toBe('live')
    expect(await page.evaluate('window.lock.released')).toBe(false)
    await resting(page).click()
    await resting(page).waitFor({ state: 'detached' })
    await page.clock.fastForward(61_000)
    await resting(page).waitFor()
    await page.keyboard.press('Shift')
    await resting(page).waitFor({ state: 'detached' })
    await page.clock.fastForward(61_000)
    await resting(page).waitFor()
    await bringForward(page, false)
    await page.getByText('Another app was in front.').waitFor()
    expect(await resting(page).count()).toBe(0)
    await bringForward(page, true)
    await page.getByText('The side view has been back since').waitFor()
    expect(await resting(page).count()).toBe(0)
  })
})
