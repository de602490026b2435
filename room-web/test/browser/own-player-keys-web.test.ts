import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  mailedLink,
  onPage,
  playedInterview,
  portal,
  requestsLink,
  startInviting,
  type Team,
} from '../../../server/test/test-support/link-pages.ts'
import { accessibilityFaults, overflowOf } from '../../../server/test/test-support/room-pages.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('the keys of the player, for a candidate')
const kept = 'Your interview data'

describe.skipIf(!chromium)('the keys of the player, for a candidate', { timeout: 150_000 }, () => {
  let team: Team
  let browser: Browser
  /** To an approved copy of an interview in which everything went wrong: two pictures, sound, words, gaps, moments. */
  let link: string
  beforeAll(async () => {
    team = await startInviting()
    browser = await sharedChromium(chromium)
    const sandbox = { ...team, api: team.server.client(team.server.orgs[0].sandboxKey) }
    const config = { audio: { transcript: true } }
    const one = await playedInterview(sandbox, {}, { config }, 'everything_goes_wrong')
    const { token } = await requestsLink(team, one)
    const { data } = await team.server.client(token).call('candidateRequests.submit', { body: { kind: 'access' } })
    await portal(team, 'portal.candidateRequests.approve', { requestId: data.id }, {})
    ;({ link } = await mailedLink(team.server, one.sessionId, 'requests'))
  }, 240_000)
  afterAll(async () => {
    await closeContexts(browser)
    await team?.server.stop()
  })
  const usually = { camera: false, locale: 'en-GB', width: 900, height: 700 }
  const visit = useVisits({ browser: () => browser, url: () => team.server.url, usually })

  const player = (page: Page) => page.getByRole('group', { name: 'Your recording' })
  const placeOf = (page: Page) => page.evaluate<number>("Number(document.querySelector('[data-player] .seek').value)")
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
  const isInside = (page: Page) => page.evaluate<boolean>("document.activeElement.closest('[data-player]') !== null")
  /** Goes on with the key until what is wanted is so. */
  const pressUntil = (page: Page, key: string, wanted: () => Promise<void>) =>
    vi.waitFor(
      async () => {
        await page.keyboard.press(key)
        await wanted()
      },
      { timeout: 30_000, interval: 20 },
    )
  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  /** By the keyboard alone: to the button, and into the player. */
  const opened = async (options = {}): Promise<Page> => {
    const { page } = await visit({ ...usually, ...options })
    await page.goto(link)
    await page.getByRole('button', { name: 'Play your recording here' }).waitFor()
    await pressUntil(page, 'Tab', async () => expect(await focused(page)).toBe('Play your recording here'))
    await page.keyboard.press('Enter')
    await player(page).locator('img.shown').first().waitFor()
    expect(await isInside(page)).toBe(true)
    return page
  }

  it('play, pause, change the speed, and go by seconds, pictures, gaps and moments', async () => {
    const page = await opened()
    const at = () => placeOf(page)
    const start = await at()
    await press(page, 'ArrowRight', 'Shift+ArrowRight', 'ArrowLeft')
    expect(await at()).toBe(start + 30_000)
    await press(page, 'Shift+ArrowLeft', '.')
    const second = await at()
    expect(second).toBeGreaterThan(start)
    await press(page, ',')
    expect(await at()).toBe(start)
    await press(page, 'g')
    await player(page).getByText('nothing recorded', { exact: false }).first().waitFor()
    const gap = await at()
    await press(page, 'g')
    expect(await at()).toBeGreaterThan(gap)
    await press(page, 'm')
    await player(page)
      .getByText(/^Time \d+ of \d+:/)
      .waitFor()
    const moment = await at()
    await press(page, 'm', 'Shift+M')
    expect(await at()).toBe(moment)
    await press(page, 'a')
    await expect.poll(at, { timeout: 30_000 }).toBeGreaterThan(moment)
    await press(page, ' ')
    await player(page).getByText('Paused', { exact: true }).waitFor()
    await press(page, 'l', 'l', 'j')
    expect(await page.getByLabel('Speed').inputValue()).toBe('1.25')
    await press(page, 'k')
    await player(page).getByText('Paused', { exact: true }).waitFor()
    // What is a reviewer's is no key here, and stays the browser's.
    await press(page, 'n', 'u', '[')
    await expect.poll(() => player(page).getByRole('textbox').count()).toBe(1)
  })

  it('choose what is large, search what was said, and are listed, in both languages and at any width', async () => {
    const page = await opened({ width: 320, height: 640 })
    const large = () => player(page).locator('figure.front figcaption').textContent()
    expect(await large()).toContain('Your screen')
    await press(page, '2')
    expect(await large()).toContain('Your camera')
    await press(page, 's')
    expect(await large()).toContain('Your screen')
    await player(page)
      .getByText('Who speaks is as the application on your computer says. Nobody has checked it.')
      .waitFor()
    await press(page, '/')
    await page.keyboard.type('bookings')
    await player(page)
      .getByText(/^[1-9]\d* places found$/)
      .waitFor()
    // A letter in the field is typed, and no command.
    expect(await page.getByLabel('Search what was said').inputValue()).toBe('bookings')
    await pressUntil(page, 'Tab', async () => expect(await focused(page)).toBe('Keys that work in the player'))
    await press(page, '?', 'm')
    await player(page).getByText('say something about that time').waitFor()
    await expect.poll(() => player(page).locator('kbd').count()).toBe(21)
    await onPage(page, kept)
    await player(page)
      .getByText(/^Time \d+ of \d+:/)
      .waitFor()
    const marks = () =>
      page.evaluate<string>(`(() => {
        const canvas = document.querySelector('[data-player] canvas.marks')
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        const at = data.findIndex((one, index) => index % 4 === 3 && one === 255)
        return at < 0 ? 'none' : [...data.slice(at - 3, at)].join()
      })()`)
    const light = await marks()
    expect(light).not.toBe('none')
    await press(page, 't')
    await page.getByLabel('Search what was said').waitFor({ state: 'detached' })
    await page.emulateMedia({ colorScheme: 'dark' })
    // What is drawn takes the colours of the page as it is now.
    await expect.poll(marks).not.toBe(light)
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await page.getByText('उस समय के बारे में कुछ कहें').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  })

  it('lead to the words about a moment, and hold nobody who goes on with Tab', async () => {
    const page = await opened()
    await press(page, 'm')
    const said = await player(page)
      .getByText(/^Time 1 of \d+:/)
      .textContent()
    await press(page, 'e')
    const field = page.getByLabel('What you say about this')
    await field.waitFor()
    await expect.poll(() => page.evaluate<string>('document.activeElement.name')).toBe('text')
    const title = said?.replace(/^Time \d+ of \d+:\s*/, '') ?? 'none'
    await page.getByRole('listitem').filter({ has: field }).filter({ hasText: title }).waitFor()
    await page.keyboard.type('My cable was loose.')
    expect(await field.inputValue()).toBe('My cable was loose.')
    // Back to the player, through all of it, and out on the other side.
    await pressUntil(page, 'Shift+Tab', async () => expect(await isInside(page)).toBe(true))
    await pressUntil(page, 'Shift+Tab', async () => expect(await isInside(page)).toBe(false))
    await pressUntil(page, 'Tab', async () => expect(await isInside(page)).toBe(true))
    await pressUntil(page, 'Tab', async () => expect(await isInside(page)).toBe(false))
  })

  it('have small pictures beside them, which nobody takes for what was checked', async () => {
    const page = await opened()
    await team.server.processAll()
    await player(page).locator('.smalls img').first().waitFor({ timeout: 30_000 })
    await player(page).getByText('Your browser does not check them.', { exact: false }).waitFor()
    expect(await player(page).locator('.smalls').first().getAttribute('aria-hidden')).toBe('true')
  })
})
