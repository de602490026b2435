import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { interviewed, onPage, playedInterview, requestsLink } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { describeDesk } from './desk-use.test-support.ts'
import { signInOn, tabTo } from './desk-web.test-support.ts'

const words = 'The second voice was my neighbour.'
const own = 'I have read the account and the words of the candidate.'
const field = /What you say beside the report/

describeDesk('a review in a browser', {}, ({ team, open: openDesk }) => {
  const open = (sessionId: string, who: Parameters<typeof openDesk>[1] = 'owner') =>
    openDesk(`review/${sessionId}`, who)
  const reviewed = async () => {
    const invited = await interviewed(team)
    await team.server.processAll()
    return invited
  }

  it('shows the account, takes the review and signs it off, by keyboard alone', async () => {
    const { sessionId } = await reviewed()
    const page = await open(sessionId, 'reviewer')
    await onPage(page, 'Review')
    await page.getByRole('heading', { name: 'Screen' }).waitFor()
    await page.getByText('The report has not been signed off.').waitFor()
    await page.getByText('Take the review first, then sign off.').waitFor()
    await page
      .getByText(/^Shown to you in this visit: 0 of 0 moments, [12] of 2 pictures and pieces of sound, /)
      .waitFor()
    await page.getByText('The interview has ended, and the application may still deliver parts of it.').waitFor()
    await tabTo(page, 'Take this review')
    await page.getByText('In review.').waitFor()
    await page.getByLabel(field).focus()
    await page.keyboard.type(own)
    await tabTo(page, 'Sign off')
    await page.getByText('Revision 1 of the report is signed off.').waitFor()
    expect(await page.getByLabel(field).inputValue()).toBe('')
    await tabTo(page, 'Complete the review')
    await page.getByText('Completed.').waitFor()
    await onPage(page, 'Review')
    const { status, revision } = (await team.api.call('sessions.report', { params: { id: sessionId } })).data
    expect({ status, revision }).toEqual({ status: 'signed_off', revision: 1 })
  })

  it("asks for a word about the candidate's own words before it is signed", async () => {
    const invited = await reviewed()
    const { token } = await requestsLink(team, invited)
    const body = { kind: 'context_statement', text: words } as const
    await team.server.client(token).call('candidateRequests.submit', { body })
    const page = await open(invited.sessionId)
    await titleOn(page, 'Review')
    await page.getByText('1 message of the candidate is not marked as read:').waitFor()
    await page.getByRole('heading', { name: 'Sign-off' }).locator('xpath=..').getByText(words).waitFor()
    await pressOn(page, 'Take this review')
    await page.getByText('In review.').waitFor()
    await pressOn(page, 'Sign off')
    await page.getByText('Read them above, then say so here.').waitFor()
    await page.getByLabel('I sign although words of the candidate are not marked as read').check()
    await onPage(page, 'Review')
    await pressOn(page, 'Sign off')
    await page.getByText('Revision 1 of the report is signed off.').waitFor()
  })

  /** Whatever asks first notices it: the button, or what is read again meanwhile, which takes the button away. */
  const endSignIn = async (page: Page) => {
    await page.context().clearCookies()
    const pressed = page.getByRole('button', { name: 'Sign off', exact: true }).click({ timeout: 5000 })
    await pressed.catch(() => undefined)
  }

  it('keeps what is written through a sign-in that has ended in the middle, for that person alone', async () => {
    const { sessionId } = await reviewed()
    const { email } = await addMember(team.server, 'owner')
    const page = await open(sessionId, { email })
    await page.getByLabel(field).fill(own)
    await endSignIn(page)
    await titleOn(page, 'Sign in to your account')
    await signInOn(page, email)
    await titleOn(page, 'Review')
    expect(await page.getByLabel(field).inputValue()).toBe(own)
    await endSignIn(page)
    const other = await addMember(team.server, 'owner')
    await signInOn(page, other.email)
    await titleOn(page, 'Review')
    expect(await page.getByLabel(field).inputValue()).toBe('')
    await pressOn(page, 'Sign out')
    await titleOn(page, 'Sign in to your account')
    expect(await page.evaluate('JSON.stringify(Object.entries(sessionStorage))')).not.toContain(own)
  })

  it('says so where the network is away, and goes on when it is back', async () => {
    const { sessionId } = await reviewed()
    const page = await open(sessionId)
    await page.getByLabel(field).fill(own)
    await page.context().setOffline(true)
    await pressOn(page, 'Sign off')
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    await page.context().setOffline(false)
    expect(await page.getByLabel(field).inputValue()).toBe(own)
    await pressOn(page, 'Sign off')
    await page.getByText('Revision 1 of the report is signed off.').waitFor()
  })

  it('takes a note, which is seen at once and makes a sign-off before it stale', async () => {
    const { sessionId } = await reviewed()
    const page = await open(sessionId)
    await pressOn(page, 'Sign off')
    await page.getByText('Revision 1 of the report is signed off.').waitFor()
    await pressOn(page, 'Save the note')
    await page.getByText('Please write something first.').waitFor()
    await page.getByLabel('Write a note').fill('The light changed at noon.')
    await pressOn(page, 'Save the note')
    await page.getByRole('blockquote').getByText('The light changed at noon.').waitFor()
    expect(await page.getByLabel('Write a note').inputValue()).toBe('')
    await page.getByText('Something came after revision 1 was signed off.').waitFor()
    await page.getByText(/^A note was written on .*, after revision 1 was signed off\.$/).waitFor()
    for (const [button, begin] of [
      ['Report as PDF', '%PDF'],
      ['Report as JSON', '{'],
    ] as const) {
      const [file] = await Promise.all([page.waitForEvent('download'), pressOn(page, button)])
      expect(readFileSync(await file.path(), 'utf8').slice(0, begin.length)).toBe(begin)
    }
  })

  it('shows where time is missing and what rules name, and takes the explanation of a moment', async () => {
    const sandbox = { ...team, api: team.server.client(team.server.orgs[0].sandboxKey) }
    const one = await playedInterview(sandbox, {}, {}, 'everything_goes_wrong')
    const { sessionId } = one
    const candidate = team.server.client((await requestsLink(team, one)).token)
    const { data: shown } = await candidate.call('candidateRequests.moments', { body: {} })
    const moment = shown.items[0]?.id ?? ''
    const body = { kind: 'context_statement', text: 'The network was away.', moment } as const
    await candidate.call('candidateRequests.submit', { body })
    const page = await open(sessionId)
    await titleOn(page, 'Review')
    await page
      .getByRole('img', { name: /^Screen: The application on the computer reported .+ of .+; the service holds/ })
      .waitFor()
    await page.getByText('Show the times').first().click()
    await page
      .getByText(/: nothing recorded, /)
      .first()
      .waitFor()
    const explain = page.getByRole('button', { name: 'Explain this moment' })
    await explain.first().waitFor()
    await onPage(page, 'Review')
    await explain.first().click()
    await page.getByLabel('In your words').fill('A cable came loose.')
    await pressOn(page, 'Save the explanation')
    await page.getByRole('blockquote').getByText('A cable came loose.').waitFor()
    await page.getByText('there is a harmless reason', { exact: false }).first().waitFor()
    // The candidate's words about the moment come first, and neither is larger.
    const said = page.locator('.moments > li').first().locator(':scope > blockquote')
    await expect
      .poll(() => said.locator('> p').allInnerTexts())
      .toEqual(['The network was away.', 'A cable came loose.'])
    const sizes = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.moments > li:first-child > blockquote > *')].map((one) => getComputedStyle(one).fontSize)`,
    )
    expect(sizes).toHaveLength(4)
    expect(sizes[0]).toBe(sizes[2])
    expect(sizes[1]).toBe(sizes[3])
    await pressOn(page, 'हिन्दी')
    await page
      .getByRole('img', { name: /कंप्यूटर के ऐप ने .+ में से .+ की सूचना दी; सेवा के पास .+ की रिकॉर्डिंग है।/ })
      .first()
      .waitFor()
    await onPage(page, 'समीक्षा')
  })

  it('is read and not signed by who may not sign', async () => {
    const { sessionId } = await reviewed()
    const page = await open(sessionId, 'interviewer')
    await onPage(page, 'Review')
    await page.getByText('Your role can read this report, and does not sign it.').waitFor()
    expect(await page.getByLabel(field).count()).toBe(0)
  })
})
