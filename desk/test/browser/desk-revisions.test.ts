import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Invited, interviewed, onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk } from './desk-use.test-support.ts'
import { tabTo } from './desk-web.test-support.ts'

const [first, second] = ['What I saw at first.', 'What I saw with the note.']

describeDesk('a review that goes on', {}, ({ team, open }) => {
  let invited: Invited
  beforeAll(async () => {
    invited = await interviewed(team)
    await team.server.processAll()
  })
  const stateOf = async () =>
    (await portal(team, 'portal.reviews.list', {}, undefined, { sessionId: invited.sessionId, state: 'all' })).items[0]
      ?.state
  const openReview = async (role: 'owner' | 'interviewer' | 'reviewer'): Promise<Page> => {
    const page = await open(`review/${invited.sessionId}`, role)
    await titleOn(page, 'Review')
    await page.getByRole('heading', { name: 'Sign-off' }).waitFor()
    return page
  }

  /** A button that is still busy with what was done before takes no press. */
  const press = async (page: Page, name: string) => {
    await page.locator(`button:not([aria-disabled=true]):text-is("${name}")`).waitFor()
    await tabTo(page, name)
  }

  it('waits while its reviewer waits, goes on, is handed back and taken again, by keyboard alone', async () => {
    const page = await openReview('reviewer')
    await press(page, 'Take this review')
    await page.getByText('In review.').waitFor()
    await press(page, 'Let it wait')
    await page.getByText('Waiting.').waitFor()
    expect(await stateOf()).toBe('waiting')
    await onPage(page, 'Review')
    await press(page, 'Go on with it')
    await page.getByText('In review.').waitFor()
    await press(page, 'Hand it back')
    await page.getByRole('button', { name: 'Take this review' }).waitFor()
    await press(page, 'Take this review')
    await page.getByRole('button', { name: 'Hand it back' }).waitFor()
    await press(page, 'Let it wait')
    await page.getByText('Waiting.').waitFor()
    expect(await stateOf()).toBe('waiting')
  })

  it('compares two signed revisions and what came after, by keyboard, each reading written down', async () => {
    const params = { id: invited.sessionId }
    await portal(team, 'portal.report.signOff', params, { expectedRevision: 0, statement: first })
    await portal(team, 'portal.notes.add', params, { text: 'The light changed at noon.' })
    await portal(team, 'portal.report.signOff', params, { expectedRevision: 1, statement: second })
    const page = await openReview('owner')
    const own = page.getByRole('heading', { name: 'Revisions compared' }).locator('xpath=..')
    expect(await own.getByLabel('Compare', { exact: true }).inputValue()).toBe('1')
    expect(await own.getByLabel('with', { exact: true }).inputValue()).toBe('2')
    await tabTo(page, 'Compare them')
    await own.getByText(first).waitFor()
    await own.getByText(second).waitFor()
    await own.getByText('Added: a note').waitFor()
    await own.getByText('The light changed at noon.').waitFor()
    await expect.poll(() => own.getByText(/^Signed by .* on /).count()).toBe(2)
    await onPage(page, 'Review')
    await portal(team, 'portal.notes.add', params, { text: 'And again at one.' })
    await own.getByLabel('Compare', { exact: true }).selectOption('2')
    await own.getByLabel('with', { exact: true }).selectOption('0')
    // What was compared before is no answer to another question.
    await own.getByText('Added: a note').waitFor({ state: 'detached' })
    await tabTo(page, 'Compare them')
    await own.getByText('And again at one.').waitFor()
    await own.getByText(/^What is known now, read on .*\. Nobody has signed it\.$/).waitFor()
    expect(await own.getByText('The light changed at noon.').count()).toBe(0)
    const { items } = await portal(team, 'portal.sessions.accessLog', params)
    expect(items.filter(({ what }) => what === 'report.exported').length).toBe(4)
  })

  it('says in Hindi that two say the same, and has nothing to compare for whoever takes nothing away', async () => {
    const page = await openReview('owner')
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    const own = page.getByRole('heading', { name: 'संस्करणों की तुलना' }).locator('xpath=..')
    await own.getByLabel('किसकी तुलना करें').selectOption('2')
    await own.getByLabel('किससे').selectOption('2')
    await own.getByRole('button', { name: 'तुलना करें' }).click()
    await own.getByText('दोनों में रिकॉर्डिंग के बारे में वही बात है, और शब्द भी वही हैं।').waitFor()
    await onPage(page, 'समीक्षा')
    const reader = await openReview('interviewer')
    await reader.getByText('Your role can read this report, and does not sign it.').waitFor()
    expect(await reader.getByRole('heading', { name: 'Revisions compared' }).count()).toBe(0)
  })
})
