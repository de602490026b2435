import { aidText } from '@integrity/protocol'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { requestLink } from '../../../server/test/test-support/candidate-requests.ts'
import { type Invited, invite, onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'
import { tabTo } from './desk-web.test-support.ts'

const words = 'I read slowly; may I have more time?'
const answer = 'You have half an hour more.'

describeDesk('what a candidate needs, asked for and answered', narrow, ({ team, url, open, visit }) => {
  const invitation = async (one: Invited, locale = 'en-GB'): Promise<Page> => {
    const { page } = await visit({ locale })
    const { pathname, hash } = new URL(one.link)
    await page.goto(`${url()}${pathname}${hash}`)
    return page
  }
  const title = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()
  /** The desk at a request, which is found in its list by what it is. */
  const requestOf = async (kind: string, email?: string): Promise<Page> => {
    const page = await open('requests', email ? { email } : 'owner')
    await titleOn(page, 'Requests')
    await page.getByLabel('What was asked for').selectOption({ label: kind })
    await page.getByRole('link', { name: `${kind}: A. Candidate` }).waitFor()
    await tabTo(page, `${kind}: A. Candidate`)
    await titleOn(page, 'Request of a candidate')
    return page
  }

  it('is a request that both sides see, with the day on which an answer is due, and then the answer', async () => {
    const one = await invite(team)
    const theirs = await invitation(one)
    await theirs.locator('summary', { hasText: 'Help: write to the team' }).click()
    await theirs
      .getByLabel('What is it about?')
      .selectOption({ label: 'Something that would make the interview easier for me' })
    await theirs.getByLabel('Your message').fill(words)
    await pressOn(theirs, 'Send the message')
    await theirs.getByText('Your message was sent at').waitFor()
    await theirs.reload()
    await theirs.getByText(/ owes an answer by /).waitFor()
    await theirs.getByRole('blockquote').getByText(words).waitFor()
    await onPage(theirs, await title(theirs))

    const page = await requestOf('Another way to take part')
    await page.getByText('Answer due by').waitFor()
    await page.getByRole('blockquote').getByText(words).waitFor()
    await onPage(page, 'Request of a candidate')
    // Nothing is given out by an answer to it.
    await page.getByRole('button', { name: 'Agree to it' }).waitFor()
    expect(await page.getByText('What would go out').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Approve the copy' }).count()).toBe(0)
    await page.getByLabel('Your words to the candidate').fill(answer)
    await tabTo(page, 'Agree to it')
    await tabTo(page, 'Yes, agree')
    await page.getByText('approved', { exact: true }).waitFor()
    await onPage(page, 'Request of a candidate')

    await theirs.reload()
    await theirs.getByRole('blockquote').getByText(answer).waitFor()
    expect(await theirs.getByText(/ owes an answer by /).count()).toBe(0)
    const hindi = await invitation(one, 'hi-IN')
    await hindi.getByRole('blockquote').getByText(answer).waitFor()
    await onPage(hindi, await title(hindi))
  })

  it('is agreed to before the interview where an aid is not offered, and said in the language of each', async () => {
    const one = await invite(team)
    const scope = { orgId: team.orgId, environment: 'live' } as const
    const candidate = team.server.client(await requestLink(team.server, scope, one.sessionId))
    const aids = [{ aid: 'helper' as const, detail: 'My sister' }]
    const { data } = await candidate.call('candidateRequests.aids', { body: { aids } })
    const hindi = await invitation(one, 'hi-IN')
    const declared = hindi.locator('ul:has(li[data-aid])')
    await declared.getByText(aidText('helper', 'hi')).waitFor()
    await declared.getByText('My sister').waitFor()
    expect(await hindi.getByText(aidText('helper')).count()).toBe(0)
    const page = await requestOf('Aids and breaks')
    await page.getByText(aidText('helper')).waitFor()
    await page.getByText('approved', { exact: true }).waitFor({ state: 'detached' })
    await tabTo(page, 'Agree to these aids')
    await tabTo(page, 'Yes, agree')
    await page.getByText('approved', { exact: true }).waitFor()
    const { data: session } = await team.api.call('sessions.get', { params: { id: one.sessionId } })
    expect(session.aids).toMatchObject([{ aid: 'helper', state: 'agreed' }])
    expect((await portal(team, 'portal.candidateRequests.get', { requestId: data.id })).status).toBe('approved')
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await page.getByText('स्वीकृत', { exact: true }).waitFor()
    await onPage(page, await title(page))
  })
})
