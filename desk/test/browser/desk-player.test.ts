import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { type Invited, onPage, playedInterview, type Team } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { emptyInterview, frontWidth, heard, keepSounds, placeOf, signedInterview } from './desk-player.test-support.ts'
import { signInOn, startDesk } from './desk-web.test-support.ts'

const chromium = findChromium('the player of a review in a browser')

describe.skipIf(!chromium)('the player of a review in a browser', { timeout: 120_000 }, () => {
  let team: Team
  let browser: Browser
  let played: Invited
  beforeAll(async () => {
    team = await startDesk()
    browser = await sharedChromium(chromium)
    const sandbox = { ...team, api: team.server.client(team.server.orgs[0].sandboxKey) }
    played = await playedInterview(sandbox, {}, {}, 'everything_goes_wrong')
  }, 120_000)
  afterAll(async () => {
    await closeContexts(browser)
    await team?.server.stop()
  })
  const usually = { camera: false, locale: 'en-GB' }
  const visit = useVisits({ browser: () => browser, url: () => team.server.app.config.baseUrl, usually })

  type Prepare = (page: Page) => Promise<unknown>
  /** The review of an interview, open for a new member. */
  const open = async (sessionId: string, prepare: Prepare = async () => undefined): Promise<Page> => {
    const { email } = await addMember(team.server, 'owner')
    const { page } = await visit(usually)
    await prepare(page)
    await page.goto(`${team.server.app.config.baseUrl}/desk/review/${sessionId}`)
    await signInOn(page, email)
    await titleOn(page, 'Review')
    await page.getByRole('group', { name: 'Player' }).waitFor()
    return page
  }
  const focusPlayer = (page: Page) => page.getByRole('slider', { name: 'Place in the interview' }).focus()
  const shown = async (page: Page) => {
    await expect.poll(() => frontWidth(page), { timeout: 20_000 }).toBeGreaterThan(0)
  }

  it('plays pictures and sound of an interview together, faster with their pitch, and what was said', async () => {
    const page = await open(played.sessionId, keepSounds)
    await shown(page)
    await page.locator('.smalls img').first().waitFor()
    await onPage(page, 'Review')
    await pressOn(page, 'Play')
    await expect.poll(() => placeOf(page), { timeout: 20_000 }).toBeGreaterThan(1000)
    await page.getByLabel('Speed').selectOption('4')
    const isHeard = async () => (await heard(page)).filter(({ at, paused, broken }) => at > 1 && !paused && !broken)
    await expect.poll(async () => (await isHeard()).length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(await isHeard()).toEqual(
      expect.arrayContaining([expect.objectContaining({ rate: 4, pitch: true, muted: false })]),
    )
    await page.getByLabel('Microphone', { exact: true }).uncheck()
    await expect.poll(async () => (await heard(page)).filter(({ muted }) => muted).length).toBe(1)
    await page.getByRole('region', { name: 'Words' }).getByText('Candidate').first().waitFor()
    await pressOn(page, 'Pause')
    await page.getByText('Paused', { exact: true }).waitFor()
  })

  it('shows what came in packs and alone, checked against its hash and its signature, and clips', async () => {
    const page = await open(await signedInterview(team.server))
    await shown(page)
    await page.getByText('matches its hash and the signature of the computer').waitFor()
    await focusPlayer(page)
    await page.keyboard.press('.')
    await page.getByText('The content matches its hash. No computer signed it.').waitFor()
    await page.keyboard.press('.')
    await page.keyboard.press('2')
    await page.getByText('Screen d2, in front').waitFor()
    await page.keyboard.press('3')
    await page.getByText('Camera, in front').waitFor()
    await page.getByRole('button', { name: 'Show Screen d1 in front' }).waitFor()
    await page.keyboard.press('.')
    await page.keyboard.press('k')
    const clip = 'document.querySelector(".stage .front video")?.currentTime ?? 0'
    await expect.poll(() => page.evaluate(clip), { timeout: 20_000 }).toBeGreaterThan(1)
    await page.getByText('The end', { exact: true }).waitFor()
  })

  it('does not show what was altered on its way', async () => {
    const alter: Prepare = (page) =>
      page.route(/\/reels\/.*size=full/, async (route) => {
        const response = await route.fetch()
        const body = await response.body()
        // Within the first picture, behind its head.
        const at = 4 + body.readUInt32BE(0) + 4 + 40
        body[at] = (body[at] ?? 0) ^ 1
        await route.fulfill({ response, body })
      })
    const page = await open(await signedInterview(team.server), alter)
    await page.getByText('does not match its hash or its signature, so it is not shown').first().waitFor()
    expect(await frontWidth(page)).toBe(0)
  })
})
