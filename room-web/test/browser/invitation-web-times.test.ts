import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  appointment,
  type Invited,
  invite,
  mailedLink,
  onPage,
  portal,
  startInviting,
  type Team,
} from '../../../server/test/test-support/link-pages.ts'
import { titleOn } from '../../../server/test/test-support/pages.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { invited, openBy } from './invitation-web.test-support.ts'

const chromium = findChromium('the times of an invitation in a browser')

describe.skipIf(!chromium)('the times of an invitation in a browser', { timeout: 120_000 }, () => {
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
  const visit = useVisits({
    browser: () => browser,
    url: () => team.server.url,
    usually: { camera: false, locale: 'en-GB' },
  })
  const open = openBy(visit)
  const move = ({ sessionId: id }: Invited) =>
    portal(team, 'portal.scheduling.set', { id }, { ...appointment, startsAt: '2099-02-03T15:00:00.000Z' })

  it('says from when on the application can be opened, and offers it by itself 15 minutes before', async () => {
    const startsAt = new Date(Date.now() + 20 * 60_000).toISOString()
    const one = await invite(team, {}, { schedule: { ...appointment, startsAt } })
    const { page, context } = await visit()
    await page.clock.install()
    await page.goto(one.link)
    await onPage(page, invited)
    await page.getByText('The button appears here at').waitFor()
    const button = page.getByRole('button', { name: 'Open the application' })
    expect(await button.count()).toBe(0)
    // The clock of the browser alone is moved: what the service says of the time is not heard meanwhile.
    await context.setOffline(true)
    // A jump runs each timer once: the page needs a moment to set its next one.
    const pass = async (ms: number) => {
      await page.clock.fastForward(ms)
      await page.clock.runFor(1_000)
    }
    await pass(4 * 60_000)
    expect(await button.count()).toBe(0)
    await pass(2 * 60_000)
    await button.waitFor()
    await page.getByText('You can open the application now.').waitFor()
    expect(await page.getByText('The button appears here at').count()).toBe(0)
  })

  it('offers it at once where no time was set', async () => {
    const one = await invite(team, {}, { schedule: undefined })
    const { page } = await open(one.link)
    await titleOn(page, invited)
    await page.getByRole('button', { name: 'Open the application' }).waitFor()
    await page.getByText('No time has been set yet.').waitFor()
    expect(await page.getByText('You can open the application now.').count()).toBe(0)
  })

  it('says that the time is new, and which one was cancelled', async () => {
    const one = await invite(team)
    await move(one)
    const fresh = await mailedLink(team.server, one.sessionId, 'invitation')
    const { page } = await open(fresh.link)
    await onPage(page, invited)
    await page.getByText('Tuesday, 3 February 2099').first().waitFor()
    await page.getByText('Any earlier time no longer applies.').waitFor()
    await portal(team, 'portal.scheduling.cancel', { id: one.sessionId }, {})
    await page.reload()
    await onPage(page, 'This appointment was cancelled')
    await page.getByText('It was planned for Tuesday, 3 February 2099').waitFor()
  })

  it('tells an interview that never began from one that has ended', async () => {
    const one = await invite(team)
    await team.api.call('sessions.end', { params: { id: one.sessionId } })
    const { page } = await open(one.link)
    await onPage(page, 'This interview was closed before it began')
    await page.getByText('Nothing was recorded').waitFor()
  })
})
