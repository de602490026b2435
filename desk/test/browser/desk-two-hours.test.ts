import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { twoHourInterview, twoHoursMs } from '../../../server/test/test-support/two-hours.ts'
import { frontWidth, heard, keepSounds, placeOf } from './desk-player.test-support.ts'
import { describeDesk } from './desk-use.test-support.ts'

const minuteMs = 60_000
/** How far the clock of the server is behind. */
const back = { ms: 0 }

describeDesk(
  'the review of two hours, of packs and single objects, in a browser',
  { now: () => Date.now() - back.ms },
  ({ team, open: openDesk }) => {
    let sessionId = ''
    beforeAll(async () => {
      sessionId = await twoHourInterview({ url: team.server.url, key: team.server.orgs[0].liveKey, back })
    }, 120_000)
    const open = async (): Promise<Page> => {
      const page = await openDesk(`review/${sessionId}`, 'owner', { prepare: keepSounds })
      await titleOn(page, 'Review')
      await page.getByRole('group', { name: 'Player' }).waitFor()
      await shown(page)
      return page
    }
    const shown = (page: Page) => expect.poll(() => frontWidth(page), { timeout: 30_000 }).toBeGreaterThan(0)
    /** To the frame: what is asked for afterwards belongs to no first look. */
    const firstPicture = (page: Page): Promise<unknown> =>
      page.evaluate(`new Promise((resolve) => {
      const look = () =>
        document.querySelector('.stage .front .shown')?.naturalWidth > 0 ? resolve() : requestAnimationFrame(look)
      look()
    })`)
    const paused = (page: Page) => page.getByText('Paused', { exact: true }).waitFor()

    it('has what it is said to have: four sources, 300 gaps, 20,000 events', async () => {
      const { data } = await team.api.call('sessions.reelIndex.get', { params: { id: sessionId } })
      const recorded = data.sources.filter(({ items }) => (items?.id.length ?? 0) > 0)
      expect(recorded.map(({ source }) => source).sort()).toEqual(['camera', 'microphone', 'screen:d1', 'system_audio'])
      const screen = data.sources.find(({ source }) => source === 'screen:d1')
      expect(screen?.account.filter(([, , state]) => state === 'gap').length).toBeGreaterThanOrEqual(300)
      const { data: events } = await team.api.call('sessions.events.list', {
        params: { id: sessionId },
        query: { limit: 1 },
      })
      expect(events.total).toBe(19_700)
      // The others are the gaps, which are read into the account.
      expect(data.complete).toBe(true)
    })

    it('shows its first picture after at most twelve requests for the interview', async () => {
      const page = await open()
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/v1/')) asked.push(new URL(request.url()).pathname)
      })
      await page.reload()
      await firstPicture(page)
      // The page before may still have asked for something; the list of reviews is of the organisation.
      const here = asked.slice(asked.indexOf('/v1/auth/me'))
      const ofInterview = here.filter((path) => path.includes('/sessions/'))
      console.info(`a first look: ${ofInterview.length} requests of ${here.length}: ${here.join(' ')}`)
      expect(ofInterview.length).toBeLessThanOrEqual(12)
    })

    it('is gone through by mouse: over time, moments, gaps and sources', async () => {
      const page = await open()
      await page.locator('.player .lanes').scrollIntoViewIfNeeded()
      const box = await page.locator('.player .lanes').boundingBox()
      if (!box) throw new Error('the axis is not drawn')
      await page.mouse.move(box.x + 10, box.y + box.height - 10)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width / 2, box.y + box.height - 10, { steps: 40 })
      await page.getByText('Looking for a place', { exact: true }).waitFor()
      await page.mouse.up()
      await paused(page)
      expect(Math.abs((await placeOf(page)) - twoHoursMs / 2)).toBeLessThan(minuteMs)
      await page.getByText(/^Moments \(\d+ of \d+ opened\)$/).click()
      await page.locator('.player .said li button').nth(5).click()
      await paused(page)
      await pressOn(page, 'Show Camera in front')
      await page.getByText('Camera, in front').waitFor()
      await shown(page)
      await pressOn(page, 'Play')
      const at = await placeOf(page)
      await expect.poll(() => placeOf(page), { timeout: 20_000 }).toBeGreaterThan(at + 1500)
      await expect
        .poll(async () => (await heard(page)).some(({ paused: still, broken }) => !still && !broken))
        .toBe(true)
    })

    it('is gone through by keyboard alone: to the end and back, over moments, gaps, items and sources', async () => {
      const page = await open()
      await page.getByRole('slider', { name: 'Place in the interview' }).focus()
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key)
      }
      await press('End')
      await page.getByText('The end', { exact: true }).waitFor()
      await press('Home')
      await paused(page)
      // Behind the gap that it begins with.
      await press('Shift+ArrowRight', 'g')
      const gapAt = await placeOf(page)
      await press('g', 'g')
      expect(await placeOf(page)).toBeGreaterThan(gapAt)
      const before = await placeOf(page)
      await press('m', 'm', 'm')
      expect(await placeOf(page)).toBeGreaterThan(before)
      const later = await placeOf(page)
      await press('Shift+M')
      await expect.poll(() => placeOf(page)).toBeLessThan(later)
      await press('2')
      await page.getByText('Camera, in front').waitFor()
      await press('.')
      await shown(page)
    })

    it('plays what came alone between what came in packs', async () => {
      const page = await open()
      await page.getByRole('slider', { name: 'Place in the interview' }).focus()
      await page.keyboard.press('Home')
      for (let far = 0; far < 2; far += 1) await page.keyboard.press('Shift+ArrowRight')
      await paused(page)
      // At a minute one came alone.
      await page.keyboard.press('.')
      await shown(page)
      await page.getByText('The content matches its hash. No computer signed it.').waitFor()
      await page.keyboard.press('.')
      await shown(page)
    })
  },
)
