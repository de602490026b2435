import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  begin,
  type Invited,
  invite,
  onPage,
  portal,
  requestsLink,
  startInviting,
  type Team,
} from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, overflowOf } from '../../../server/test/test-support/room-pages.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { newClientId } from '../../../server/test/test-support/world.ts'

const chromium = findChromium("the moments of an interview, in its candidate's browser")

describe.skipIf(!chromium)("the moments of an interview, in its candidate's browser", { timeout: 120_000 }, () => {
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

  const kept = 'Your interview data'
  const shown = 'What a reviewer is shown'
  const say = 'Say something about this'
  const field = 'What you say about this'
  const words = 'I put the laptop into its dock.'

  /** An interview that goes on, in which a display was connected and the system reported a virtual machine. */
  const live = async (session: object = {}): Promise<Invited> => {
    const one = await invite(team, {}, session)
    await begin(team, one)
    const agent = team.server.client(one.agentJoinToken)
    for (const kind of ['display.added', 'vm.hint']) {
      const observedAt = new Date(team.server.app.clock.now()).toISOString()
      const events = [{ clientId: newClientId(), kind, observedAt, source: 'displays', data: {} }]
      await agent.call('agent.events.ingest', { params: { id: one.sessionId }, body: { events } })
    }
    return one
  }
  const held = async (session: object = {}): Promise<Invited> => {
    const one = await live(session)
    await team.api.call('sessions.end', { params: { id: one.sessionId } })
    return one
  }
  const opened = async (one: Invited, options = {}) => {
    const made = await visit({ ...usually, ...options })
    await made.page.goto((await requestsLink(team, one)).link)
    return made
  }
  const itemOf = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
  const theirs = async ({ sessionId }: Invited) =>
    (await portal(team, 'portal.coverage', { id: sessionId }, undefined, {})).items.map(({ rule, statements }) => [
      rule,
      statements.map(({ text }) => text),
    ])

  it('are shown as reviewers see them, with harmless reasons and how usual each is', async () => {
    const { id: policyId } = await portal(team, 'portal.policies.create', {}, { name: 'Of many', config: {} })
    await team.server.app.db.transact(async (tx) => {
      for (const [rule, sessions] of [
        ['*', 40],
        ['display_connected', 25],
      ] as const)
        await tx.run(
          `INSERT INTO base_rates (org_id, environment, policy_id, rule, sessions) VALUES (?, 'live', ?, ?, ?)`,
          [team.orgId, policyId, rule, sessions],
        )
    })
    const { page, seen } = await opened(await held({ policyId }))
    await page.getByRole('heading', { name: shown }).waitFor()
    const display = itemOf(page, 'A display was connected')
    await display.getByText('A laptop was put into its dock.').waitFor()
    await display
      .getByText(/^Seen in 63% of the interviews of Org \d+ with the same settings \(25 of 40 interviews\)\.$/)
      .waitFor()
    await itemOf(page, 'The system reports a virtual machine').getByRole('button', { name: say }).waitFor()
    await onPage(page, kept)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await page.getByText('लैपटॉप को उसके डॉक में लगाया गया।').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    for (const size of ['100%', '200%']) {
      await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
      expect(await overflowOf(page), size).toBeLessThanOrEqual(0)
    }
    expect(seen.errors).toEqual([])
  })

  it('can be written about with the keyboard, each by itself, and reviewers read it beside the moment', async () => {
    const one = await held()
    const { page } = await opened(one)
    await itemOf(page, 'A display was connected').getByRole('button', { name: say }).waitFor()
    await vi.waitFor(
      async () => {
        await page.keyboard.press('Tab')
        expect(await page.evaluate('document.activeElement.textContent')).toBe(say)
      },
      { timeout: 20_000, interval: 20 },
    )
    await page.keyboard.press('Enter')
    await page.getByLabel(field).waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('text')
    await page.keyboard.type(words)
    await onPage(page, kept)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Your words were sent. Reviewers read them beside this time.').waitFor()
    const first = page.getByRole('listitem').filter({ hasText: words })
    await first.getByText('Your words wait to be read.').waitFor()
    expect(await first.getByRole('button').count()).toBe(0)
    const machine = itemOf(page, 'The system reports a virtual machine')
    await machine.getByRole('button', { name: say }).click()
    await page.getByLabel(field).fill('It is a virtual desktop.')
    await pressOn(page, 'Send this')
    await machine.getByText('Your words wait to be read.').waitFor()
    expect(Object.fromEntries(await theirs(one))).toMatchObject({
      display_connected: [words],
      virtual_machine: ['It is a virtual desktop.'],
    })
    await page
      .getByRole('article')
      .getByText(/^About the time .* of your interview$/)
      .first()
      .waitFor()
    // The comment about the whole interview can still be written.
    await page.locator('summary', { hasText: 'Add a comment for the reviewers' }).click()
    await page.getByLabel('Your comment').waitFor()
    await onPage(page, kept)
    await page.reload()
    await itemOf(page, 'The system reports a virtual machine').getByText('It is a virtual desktop.').waitFor()
  })

  it('keep what was typed through a lost network, a reload and a lost answer, and take it once', async () => {
    const one = await held()
    const { page, context } = await opened(one)
    const display = itemOf(page, 'A display was connected')
    await display.getByRole('button', { name: say }).click()
    await pressOn(page, 'Send this')
    await page.getByText('Please write something first.').waitFor()
    await page.getByLabel(field).fill(words)
    await context.setOffline(true)
    await pressOn(page, 'Send this')
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    await context.setOffline(false)
    await page.reload()
    await page.getByLabel(field).waitFor()
    expect(await page.getByLabel(field).inputValue()).toBe(words)
    await page.route('**/v1/candidate-requests/submit', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await pressOn(page, 'Send this')
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    await page.unroute('**/v1/candidate-requests/submit')
    await pressOn(page, 'Send this')
    await page.getByText('Your words were sent.').waitFor()
    expect(Object.fromEntries(await theirs(one))).toMatchObject({ display_connected: [words] })
  })

  it('come once the interview has ended, and again where they could not be fetched', async () => {
    const one = await live()
    const { page } = await opened(one)
    await page.getByText('Once the interview has ended, you see here what a reviewer is shown of it.').waitFor()
    await onPage(page, kept)
    await team.api.call('sessions.end', { params: { id: one.sessionId } })
    await page.route('**/v1/candidate-requests/moments', (route) => route.abort())
    await page.reload()
    await page.getByText('It could not be fetched. Please try again.').waitFor()
    await page.unroute('**/v1/candidate-requests/moments')
    await pressOn(page, 'Try again')
    await itemOf(page, 'A display was connected').getByRole('button', { name: say }).waitFor()
    await team.api.call('sessions.erase', { params: { id: one.sessionId } })
    await page.goto('about:blank')
    await page.goto((await requestsLink(team, one)).link)
    await titleOn(page, kept)
    await page.getByText('everything that was recorded in this interview was deleted').waitFor()
    expect(await page.getByRole('heading', { name: shown }).count()).toBe(0)
  })
})
