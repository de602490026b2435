import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  type Invited,
  mailedLink,
  playedInterview,
  portal,
  requestsLink,
  startInviting,
  type Team,
} from '../../../server/test/test-support/link-pages.ts'
import { pressOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, overflowOf } from '../../../server/test/test-support/room-pages.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium("the player of an interview, in its candidate's browser")

describe.skipIf(!chromium)("the player of an interview, in its candidate's browser", { timeout: 120_000 }, () => {
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
  const usually = { camera: false, locale: 'en-GB', width: 320, height: 640 }
  const visit = useVisits({ browser: () => browser, url: () => team.server.url, usually })

  const played = (scenario: 'everything_goes_wrong' | 'nothing_goes_wrong' = 'nothing_goes_wrong') =>
    playedInterview({ ...team, api: team.server.client(team.server.orgs[0].sandboxKey) }, {}, {}, scenario)
  const approve = async (one: Invited): Promise<string> => {
    const asked = await requestsLink(team, one)
    const { data } = await team.server
      .client(asked.token)
      .call('candidateRequests.submit', { body: { kind: 'access' } })
    await portal(team, 'portal.candidateRequests.approve', { requestId: data.id }, {})
    return (await mailedLink(team.server, one.sessionId, 'requests')).link
  }
  const player = (page: Page) => page.getByRole('group', { name: 'Your recording' })
  const shown = (page: Page) => player(page).locator('img.shown, video.shown')

  it('plays pictures and sound of an approved copy, checked by the browser, and goes to a moment', async () => {
    const link = await approve(await played('everything_goes_wrong'))
    const { page, seen } = await visit()
    await page.goto(link)
    await pressOn(page, 'Play your recording here')
    await shown(page).first().waitFor()
    await player(page).getByText('This part matches its hash', { exact: false }).first().waitFor()
    // A picture comes out of the page's own memory, where it was checked.
    expect(await shown(page).first().getAttribute('src')).toMatch(/^blob:/)
    const place = player(page).getByRole('slider', { name: 'Place in the interview' })
    const before = Number(await place.inputValue())
    await pressOn(page, 'Play')
    await expect.poll(async () => Number(await place.inputValue()), { timeout: 20_000 }).toBeGreaterThan(before + 500)
    await pressOn(page, 'Pause')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await place.focus()
    const at = Number(await place.inputValue())
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => Number(await place.inputValue())).toBeGreaterThan(at)
    await page.getByRole('button', { name: 'Play the ten seconds around this' }).first().click()
    await player(page).getByText('Playing', { exact: true }).waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await page.getByRole('heading', { name: 'आपकी रिकॉर्डिंग' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    // What is on its way for another place is broken off.
    expect(seen.errors.filter((line) => !line.endsWith('/reels net::ERR_ABORTED'))).toEqual([])
    // By the candidate's own link alone.
    expect(seen.requests.filter((url) => url.includes('/v1/') && !url.includes('/v1/candidate-requests/'))).toEqual([])
  })

  it('shows nothing of what does not match its hash, and says so', async () => {
    const link = await approve(await played())
    const { page } = await visit()
    await page.route('**/v1/candidate-requests/reels', async (route) => {
      const answer = await route.fetch()
      const body = await answer.body()
      // The last byte of the first picture: behind it comes the length of the next head, or of the last frame.
      const headLength = body.readUInt32BE(0)
      const bodyLength = body.readUInt32BE(4 + headLength)
      const last = 4 + headLength + 4 + bodyLength - 1
      if (bodyLength > 0) body[last] = body[last]! ^ 1
      await route.fulfill({ response: answer, body })
    })
    await page.goto(link)
    await pressOn(page, 'Play your recording here')
    await player(page).getByText('does not match its hash or its signature, so it is not shown').first().waitFor()
    const striped = player(page).locator('.view.unfit').first()
    const look = "getComputedStyle(document.querySelector('.own-stage .view.unfit')).backgroundImage"
    expect(await page.evaluate<string>(look)).toContain('repeating')
    expect(await striped.locator('img, video').count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('says what it takes where no copy was approved', async () => {
    const one = await played()
    const { page } = await visit()
    await page.goto((await requestsLink(team, one)).link)
    await page
      .getByText(/^Once .* has approved a copy of your data, you can see and hear your recording here/)
      .waitFor()
    expect(await page.getByRole('button', { name: 'Play your recording here' }).count()).toBe(0)
  })
})
