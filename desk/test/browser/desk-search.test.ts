import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { fillOrganisation } from '../../../server/test/test-support/fill.ts'
import { onPage } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'
import { pathOf, storedIn, tabTo } from './desk-web.test-support.ts'

const planted = 3000
const none = { events: 0, deliveries: 0, requests: 0, members: 0, invites: 0, reviews: 0, audit: 0, ofSession: 0 }

describeDesk('the search of interviews in a browser', { own: true, ...narrow }, ({ team, open }) => {
  let ended = 0
  beforeAll(async () => {
    const create = async (candidateLabel: string, externalId: string) =>
      (await team.api.call('sessions.create', { body: { candidateLabel, externalId } })).data.id
    const sessionId = await create('Asha Rao', 'REQ-2041/17')
    const { db } = team.server.app
    const scope = { orgId: team.orgId, environment: 'live' }
    await db.transact(async (tx) => {
      await fillOrganisation(tx, { scope, sessionId, webhookId: 'none' }, { ...none, sessions: planted })
      // As they are searched: planted ones are called by the word that is their own.
      await tx.run(
        "UPDATE sessions SET candidate_label = 'Fill' || substr(session_id, 9) WHERE session_id LIKE 'ses_fill%'",
      )
    })
    await create('प्रेम शर्मा', 'REQ-1')
    await create('प्रिया वर्मा', 'REQ-2')
    const counted = await db.reader.get<{ n: number }>("SELECT count(*) AS n FROM sessions WHERE state = 'ended'", [])
    ended = Number(counted?.n)
    expect(ended).toBeGreaterThan(100)
  }, 60_000)
  const field = (page: Page) => page.getByLabel('Search for an interview')
  const shownOf = (page: Page, shown: number, total: number) =>
    page.getByText(new RegExp(`^${shown} of ${total.toLocaleString('en-GB').replace(',', ',?')} shown$`)).waitFor()

  it('finds one of thousands by keyboard alone, opens it, and has the search still when the reader comes back', async () => {
    const page = await open('interviews', 'interviewer')
    await shownOf(page, 50, planted + 3)
    await field(page).focus()
    await page.keyboard.type('2041/17 rao')
    await page.keyboard.press('Enter')
    await shownOf(page, 1, 1)
    await onPage(page, 'Interviews')
    await tabTo(page, 'Asha Rao')
    await titleOn(page, 'Interview')
    await page.goBack()
    await shownOf(page, 1, 1)
    expect(await field(page).inputValue()).toBe('2041/17 rao')
    await tabTo(page, 'Find')
    await shownOf(page, 1, 1)
    await field(page).fill('')
    await shownOf(page, 50, planted + 3)
  })

  it('looks while somebody types, for the beginning of a word, and shows a page of what thousands have', async () => {
    const page = await open('interviews', 'interviewer')
    await field(page).focus()
    await page.keyboard.type('fill234')
    // One of its own and those whose number begins so.
    await shownOf(page, 11, 11)
    await page.getByRole('link', { name: 'Fill2345', exact: true }).waitFor()
    await page.keyboard.type('5')
    await shownOf(page, 1, 1)
    await field(page).fill('fill')
    await shownOf(page, 50, planted)
    await onPage(page, 'Interviews')
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'First page' }).waitFor()
    await shownOf(page, 50, planted)
    await page.getByRole('link', { name: 'Fill2950', exact: true }).waitFor()
    expect(pathOf(page)).toContain('found=words')
    expect(pathOf(page)).not.toContain('fill')
    expect(await storedIn(page)).not.toMatch(/fill/i)
    // Other words have pages of their own.
    await field(page).fill('fill2')
    await page.getByRole('link', { name: 'First page' }).waitFor({ state: 'detached' })
    expect(pathOf(page)).not.toContain('cursor')
  })

  it('keeps what was chosen and the order in the address, and goes back over them', async () => {
    const page = await open('interviews', 'interviewer')
    await page.getByLabel('State').selectOption('ended')
    await shownOf(page, 50, ended)
    await page.getByLabel('Order').selectOption('oldest')
    await page.waitForURL('**/interviews?*sort=oldest*')
    await field(page).fill('fill')
    await page.keyboard.press('Enter')
    await shownOf(page, 50, ended)
    const names = page.locator('table.list tbody th a')
    const oldest = await names.first().textContent()
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'First page' }).waitFor()
    const query = new URL(page.url()).searchParams
    expect([query.get('state'), query.get('sort'), query.get('found')]).toEqual(['ended', 'oldest', 'words'])
    await page.goBack()
    await page.getByRole('link', { name: 'First page' }).waitFor({ state: 'detached' })
    await names
      .first()
      .and(page.getByText(oldest ?? '', { exact: true }))
      .waitFor()
    expect(await field(page).inputValue()).toBe('fill')
    await page.goBack()
    await page.waitForURL((url) => !url.search.includes('sort'))
    expect(await page.getByLabel('State').inputValue()).toBe('ended')
    expect(await page.getByLabel('Order').inputValue()).toBe('')
    await page.goForward()
    await page.waitForURL('**/interviews?*sort=oldest*')
    // Words of a search outlive no reload; what the address says does.
    await page.reload()
    await shownOf(page, 50, ended)
    expect(await field(page).inputValue()).toBe('')
    expect(await page.getByLabel('Order').inputValue()).toBe('oldest')
    expect(await page.getByLabel('State').inputValue()).toBe('ended')
  })

  it('finds Hindi names on a Hindi page, by the beginnings of words, and says what it does not find', async () => {
    const page = await open('interviews', 'interviewer', { locale: 'hi-IN' })
    const search = page.getByLabel('साक्षात्कार खोजें')
    await search.focus()
    await page.keyboard.type('प्रे')
    await page.getByRole('link', { name: 'प्रेम शर्मा' }).waitFor()
    await page.getByText('1 में से 1 दिखाए गए').waitFor()
    await search.fill('प्र')
    await page.getByText('2 में से 2 दिखाए गए').waitFor()
    await page.getByRole('link', { name: 'प्रिया वर्मा' }).waitFor()
    await onPage(page, 'साक्षात्कार')
    await search.fill('शर्मा नहीं')
    await page.getByText(/^किसी साक्षात्कार में “शर्मा नहीं” से शुरू होने वाले शब्द नहीं हैं/).waitFor()
    await onPage(page, 'साक्षात्कार')
    await pressOn(page, 'खोज हटाएँ')
    await page.getByRole('link', { name: 'अगला पेज' }).waitFor()
    expect(await search.inputValue()).toBe('')
  })
})
