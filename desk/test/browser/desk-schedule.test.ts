import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { onPage, type Team } from '../../../server/test/test-support/link-pages.ts'
import { readOutbox } from '../../../server/test/test-support/mail.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { signInOn, startDesk, storedIn } from './desk-web.test-support.ts'

const chromium = findChromium('scheduling in a browser')
const address = 'new.candidate@example.org'

describe.skipIf(!chromium)('scheduling in a browser', { timeout: 120_000 }, () => {
  let team: Team
  let browser: Browser
  beforeAll(async () => {
    team = await startDesk()
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await team?.server.stop()
  })
  const usually = { camera: false, locale: 'en-GB' }
  const visit = useVisits({ browser: () => browser, url: () => team.server.app.config.baseUrl, usually })
  const open = async (role: 'interviewer' | 'reviewer'): Promise<{ page: Page; email: string }> => {
    const { page } = await visit(usually)
    const { email } = await addMember(team.server, role)
    await page.goto(`${team.server.app.config.baseUrl}/desk/interviews`)
    await signInOn(page, email)
    await titleOn(page, 'Interviews')
    return { page, email }
  }

  it("makes an interview by the candidate's clocks, and writes to them", async () => {
    const { page } = await open('interviewer')
    await page.getByRole('link', { name: 'Schedule an interview' }).click()
    await onPage(page, 'Schedule an interview')
    await pressOn(page, 'Schedule')
    await page.getByText('Please give a name, so that reviewers can tell interviews apart.').waitFor()
    await page.getByLabel('Name of the candidate').fill('Asha R.')
    await page.getByLabel('Time zone of the candidate').selectOption('Asia/Kolkata')
    await page.getByLabel('Day').fill('2020-01-20')
    await page.getByLabel('Time', { exact: true }).fill('23:00')
    await page
      .getByText('This time has passed already. It is early in the morning or late in the evening there.')
      .waitFor()
    await page.getByLabel('Day').fill('2099-01-20')
    await page.getByLabel('Time', { exact: true }).fill('14:30')
    await page.getByText('This time has passed already.').waitFor({ state: 'detached' })
    await page.getByLabel('E-mail address for the invitation').fill(address)
    await onPage(page, 'Schedule an interview')
    await pressOn(page, 'Schedule')
    await titleOn(page, 'Interview')
    await page.getByText('Asha R.').waitFor()
    const id = page.url().split('/').at(-1) ?? ''
    const { schedule } = (await team.api.call('sessions.get', { params: { id } })).data
    expect(schedule).toEqual({ startsAt: '2099-01-20T09:00:00.000Z', durationMinutes: 60, timeZone: 'Asia/Kolkata' })
    await team.server.processAll()
    const letters = (await readOutbox(team.server)).filter(({ text }) => text.includes(id))
    expect(letters.map(({ to }) => JSON.stringify(to))).toEqual([expect.stringContaining(address)])
  })

  it('keeps what is written through a sign-in that has ended, and puts nothing of the candidate into a storage', async () => {
    const { page, email } = await open('interviewer')
    await page.getByRole('link', { name: 'Schedule an interview' }).click()
    await page.getByLabel('Name of the candidate').fill('Asha R.')
    await page.getByLabel('Day').fill('2099-01-20')
    await page.getByLabel('Time', { exact: true }).fill('14:30')
    expect(await storedIn(page)).not.toContain('Asha')
    await page.context().clearCookies()
    await pressOn(page, 'Schedule')
    await signInOn(page, email)
    await titleOn(page, 'Schedule an interview')
    expect(await page.getByLabel('Name of the candidate').inputValue()).toBe('Asha R.')
    await pressOn(page, 'Schedule')
    await titleOn(page, 'Interview')
  })

  it('is offered to nobody who may not', async () => {
    const { page } = await open('reviewer')
    await page.getByLabel('State').waitFor()
    expect(await page.getByRole('link', { name: 'Schedule an interview' }).count()).toBe(0)
  })
})
