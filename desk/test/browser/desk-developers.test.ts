import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { describeDesk } from './desk-use.test-support.ts'
import { signInOn, storedIn, tabTo } from './desk-web.test-support.ts'

describeDesk('the room of developers in a browser', {}, ({ team, url, open: openDesk }) => {
  const open = async (section: string, role: 'owner' | 'reviewer' = 'owner') => {
    const { email } = await addMember(team.server, role)
    return { page: await openDesk(`developers/${section}`, { email }), email }
  }
  const secretOn = async (page: Page): Promise<string> => (await page.locator('.notice code').innerText()).trim()
  /** 403 is the answer to a key that is known and may not read the organisation. */
  const answers = async (token: string): Promise<number> =>
    (await fetch(`${team.server.url}/v1/api/me`, { headers: { authorization: `Bearer ${token}` } })).status

  describe('keys', () => {
    it('are made with chosen sentences, shown once, and never again', async () => {
      const { page } = await open('keys')
      await onPage(page, 'API keys')
      await pressOn(page, 'Make the key')
      await page.getByText('Please give the key a name.').waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Nightly import')
      await pressOn(page, 'Make the key')
      await page.getByText('Please choose at least one thing that the key may do.').waitFor()
      await page.getByLabel('Read the organisation’s name and settings.').check()
      await pressOn(page, 'Make the key')
      await page.getByRole('heading', { name: 'The key “Nightly import”' }).waitFor()
      await onPage(page, 'API keys')
      const token = await secretOn(page)
      expect(token).toMatch(/^sk_test_/)
      expect(await answers(token)).toBe(200)
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
      expect(await storedIn(page)).not.toContain(token)
      await pressOn(page, 'I have stored it')
      expect(await page.content()).not.toContain(token)
      await page.reload()
      await page.getByRole('link', { name: 'Nightly import' }).waitFor()
      expect(await page.content()).not.toContain(token)
    })

    it('get a new secret and are revoked, each after a question, by keyboard alone', async () => {
      const { page } = await open('keys')
      await titleOn(page, 'API keys')
      await page.getByLabel('Name', { exact: true }).fill('Short lived')
      await page.getByLabel('Read reports.').check()
      await pressOn(page, 'Make the key')
      const first = await secretOn(page)
      await tabTo(page, 'I have stored it')
      await page.getByRole('link', { name: 'Short lived' }).focus()
      await page.keyboard.press('Enter')
      await onPage(page, 'API key')
      await tabTo(page, 'Make a new secret')
      await page.getByText('The present secret stops at once, on open event streams too.').waitFor()
      await tabTo(page, 'Replace the secret')
      const second = await secretOn(page)
      expect(second).not.toBe(first)
      expect([await answers(first), await answers(second)]).toEqual([401, 403])
      await tabTo(page, 'I have stored it')
      await tabTo(page, 'Revoke this key')
      await page.getByText('The key stops at once and for good').waitFor()
      await tabTo(page, 'Cancel')
      expect(await answers(second)).toBe(403)
      await tabTo(page, 'Revoke this key')
      await tabTo(page, 'Revoke it for good')
      await titleOn(page, 'API keys')
      await page.getByRole('row', { name: /Short lived.*revoked on/s }).waitFor()
      expect(await answers(second)).toBe(401)
    })

    it('show when they were used last and what was asked for with them', async () => {
      const { page } = await open('keys')
      await titleOn(page, 'API keys')
      const label = `Watched ${randomUUID()}`
      await page.getByLabel('Name', { exact: true }).fill(label)
      await page.getByLabel('Read reports.').check()
      await pressOn(page, 'Make the key')
      const token = await secretOn(page)
      await page.getByRole('row', { name: new RegExp(`${label}.*never yet`, 's') }).waitFor()
      await pressOn(page, 'I have stored it')
      await page.getByRole('link', { name: label }).click()
      await page.getByText('No program has sent a request with this key in the last 24 hours.').waitFor()
      expect(await answers(token)).toBe(403)
      await team.server.processAll()
      await pressOn(page, 'Look for newer requests')
      await page.getByRole('row', { name: /GET \/v1\/api\/me.*403.*insufficient_scope/s }).waitFor()
      await onPage(page, 'API key')
    })

    it('keep what is typed through a sign-in that has ended', async () => {
      const { page, email } = await open('keys')
      await titleOn(page, 'API keys')
      await page.getByLabel('Name', { exact: true }).fill('Kept')
      await page.getByLabel('Read reports.').check()
      await page.context().clearCookies()
      await pressOn(page, 'Make the key')
      await signInOn(page, email)
      await titleOn(page, 'API keys')
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kept')
      await expect.poll(() => page.getByLabel('Read reports.').isChecked()).toBe(true)
      await pressOn(page, 'Make the key')
      await page.getByRole('heading', { name: 'The key “Kept”' }).waitFor()
    })
  })

  describe('the sandbox', () => {
    it('plays a scenario, is watched step by step, and says what it should show', async () => {
      const { page } = await open('sandbox')
      await onPage(page, 'Sandbox')
      await page.getByLabel('Scenario', { exact: true }).selectOption('receiver_faults')
      await page.getByText('Your receiver should refuse these').waitFor()
      await page.getByLabel('Scenario', { exact: true }).selectOption('phone_interrupted')
      await page.getByLabel('Speed', { exact: true }).selectOption('600')
      await tabTo(page, 'Play it')
      await onPage(page, 'Scenario of the sandbox')
      await page.getByText(/It plays: \d+ of \d+ steps are done/).waitFor()
      const ended = page.getByText(/It has ended: (\d+) of \1 steps are done/)
      while (!(await ended.isVisible())) await team.server.processAll()
      await onPage(page, 'Scenario of the sandbox')
      await page.getByRole('link', { name: 'Open the interview' }).click()
      await titleOn(page, 'Interview')
      await page.getByText('Sandbox: A phone that is interrupted').waitFor()
    })

    it('says so where nothing was played', async () => {
      const { page } = await open('sandbox')
      await titleOn(page, 'Sandbox')
      const real = await portal(team, 'portal.sessions.create', {}, { environment: 'live' })
      await page.goto(`${url()}/desk/developers/sandbox/${real.id}`)
      await titleOn(page, 'Scenario of the sandbox')
      await page.getByText('No scenario was played in this interview.').waitFor()
    })
  })

  describe('events', () => {
    it('come as they happen, wait while paused, and are in the list of earlier ones', async () => {
      const { page } = await open('events')
      await onPage(page, 'Events')
      await page.getByText('The page is connected and shows each event as it happens.').waitFor()
      const live = page.getByRole('region', { name: 'Events as they happen' }).locator('[data-event]')
      const schedule = () => portal(team, 'portal.sessions.create', {}, { environment: 'sandbox' })
      await schedule()
      await live.first().waitFor()
      await live.first().getByText('session.scheduled', { exact: true }).click()
      await page.getByText('"catalogVersion"').first().waitFor()
      await onPage(page, 'Events')
      await pressOn(page, 'Pause')
      await schedule()
      await schedule()
      await pressOn(page, 'Go on')
      await live.nth(2).waitFor()
      await expect.poll(() => live.count()).toBe(3)
      await page.reload()
      const earlier = page.getByRole('region', { name: 'Earlier events' }).locator('[data-event]')
      await earlier.nth(2).waitFor()
    })
  })

  describe('samples', () => {
    it('have the key filled in that was just made, or that is pasted, and work', async () => {
      const { page } = await open('keys')
      await titleOn(page, 'API keys')
      await page.getByLabel('Name', { exact: true }).fill('First steps')
      await page.getByLabel('Read the organisation’s name and settings.').check()
      await pressOn(page, 'Make the key')
      const token = (await page.locator('.notice code').innerText()).trim()
      await page.getByText('Try it at once').click()
      const settings = () => page.getByLabel('Settings', { exact: true }).innerText()
      expect(await settings()).toContain(`API_KEY='${token}'`)
      await onPage(page, 'API keys')
      const program = await page.getByLabel('Program', { exact: true }).innerText()
      const { stdout } = await promisify(execFile)('sh', ['-c', `${await settings()}\n${program}`])
      expect(JSON.parse(stdout)).toMatchObject({ success: true })
      await page.getByRole('link', { name: 'Samples' }).click()
      await onPage(page, 'Samples')
      expect(await page.content()).not.toContain(token)
      await page.getByLabel('Your key').fill(token)
      await page.getByRole('combobox', { name: 'Language' }).selectOption('python')
      expect(await settings()).toContain(`API_KEY='${token}'`)
      expect(await page.getByLabel('Program', { exact: true }).innerText()).toContain('urllib.request')
      expect(await storedIn(page)).not.toContain(token)
    })
  })

  it('is offered to nobody who may not', async () => {
    const { page } = await open('keys', 'reviewer')
    await titleOn(page, 'There is no such page')
    expect(await page.getByRole('link', { name: 'Developers' }).count()).toBe(0)
  })
})
