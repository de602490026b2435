import { expect, it } from 'vitest'
import { requestLink, sentRequest } from '../../../server/test/test-support/candidate-requests.ts'
import { interviewed, onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'
import { pathOf, storedIn, tabTo } from './desk-web.test-support.ts'

const words = 'We keep it for a lawsuit.'
const field = 'Your words to the candidate'

describeDesk('requests in a browser', narrow, ({ team, url, open }) => {
  const scope = () => ({ orgId: team.orgId, environment: 'live' }) as const
  const asked = async (kind: 'context_statement' | 'access' | 'erasure', sessionId?: string) => {
    const session = sessionId ?? (await interviewed(team)).sessionId
    return { ...(await sentRequest(team.server, scope(), session, kind)), sessionId: session }
  }
  const known = (requestId: string) => portal(team, 'portal.candidateRequests.get', { requestId })

  it('lists what came first, says what an approval gives out, and approves it, by keyboard alone', async () => {
    const first = await asked('access')
    const second = await asked('erasure')
    const page = await open('requests', 'owner')
    await titleOn(page, 'Requests')
    await page.getByRole('link', { name: 'Copy of the data: A. Candidate' }).waitFor()
    const listed = page.locator('.rows a')
    await expect
      .poll(() => listed.allInnerTexts())
      .toEqual(['Copy of the data: A. Candidate', 'Deletion: A. Candidate'])
    expect(await listed.last().getAttribute('href')).toMatch(new RegExp(`/requests/${second.id}$`))
    await expect.poll(() => page.getByText(/answer due by/).count()).toBe(2)
    await onPage(page, 'Requests')
    await tabTo(page, 'Copy of the data: A. Candidate')
    await titleOn(page, 'Request of a candidate')
    await page.getByText('What would go out').waitFor()
    await page.getByText(/^2 items, /).waitFor()
    await onPage(page, 'Request of a candidate')
    expect(await page.title()).not.toContain('A. Candidate')
    await tabTo(page, 'Mark as seen')
    await page.getByText('seen', { exact: true }).waitFor()
    await tabTo(page, 'Approve the copy')
    await page.getByText(/^2 items \(.*\) and all records about the candidate can be downloaded/).waitFor()
    await tabTo(page, 'Yes, approve')
    await page.getByText('approved', { exact: true }).waitFor()
    await page.getByText('The copy can be downloaded until').waitFor()
    expect((await known(first.id)).status).toBe('approved')
    const body = { requestId: first.id }
    const token = await requestLink(team.server, scope(), first.sessionId)
    const { data } = await team.server.client(token).call('candidateRequests.contents', { body })
    expect(data.items).toHaveLength(2)
  })

  it('says before a deletion what goes away and what hinders it, and shows where the service refuses it', async () => {
    const { id, sessionId } = await asked('erasure')
    const page = await open(`requests/${id}`, 'owner')
    await titleOn(page, 'Request of a candidate')
    await page.getByText('What would be deleted').waitFor()
    await page.getByText('Pictures of displays').waitFor()
    await page.getByLabel(field).fill('It is done.')
    const hold = (on: boolean) =>
      portal(team, 'portal.retention.sessions.hold', { sessionId }, on ? { on, reason: 'A court asked.' } : { on })
    await hold(true)
    await pressOn(page, 'Approve the deletion')
    await pressOn(page, 'Yes, approve')
    await page.getByText('This is not possible now').waitFor()
    await page.getByText('kept by legal hold, so nothing of it can be deleted until').waitFor()
    expect(await page.getByRole('button', { name: 'Approve the deletion' }).count()).toBe(0)
    expect(await page.getByLabel(field).inputValue()).toBe('It is done.')
    await onPage(page, 'Request of a candidate')
    expect((await known(id)).status).toBe('received')
    await hold(false)
    await page.reload()
    await pressOn(page, 'Approve the deletion')
    await page.getByText(/^2 items \(.*\) and every word about the candidate are deleted at once/).waitFor()
    await pressOn(page, 'Yes, approve')
    await page.getByText('approved', { exact: true }).waitFor()
    const { erasedAt } = (await team.api.call('sessions.get', { params: { id: sessionId } })).data
    expect(erasedAt).not.toBeNull()
  })

  it('declines with words alone, which arrive once and lie in no storage, and writes messages after it', async () => {
    const { id } = await asked('access')
    const page = await open(`requests/${id}`, 'owner')
    await titleOn(page, 'Request of a candidate')
    await pressOn(page, 'Decline')
    await page.getByText('Nobody is refused without a word.').waitFor()
    await page.getByLabel(field).fill(words)
    expect(await storedIn(page)).not.toContain(words)
    await pressOn(page, 'Decline')
    await pressOn(page, 'Yes, decline')
    await page.getByText('declined', { exact: true }).waitFor()
    await page.locator('blockquote', { hasText: words }).waitFor()
    expect(await page.getByRole('button', { name: 'Decline' }).count()).toBe(0)
    await page.getByLabel(field).fill('You may ask again.')
    await pressOn(page, 'Send the message')
    await page.getByText('The message was sent.').waitFor()
    expect((await known(id)).messages.map(({ text }) => text)).toEqual([words, 'You may ask again.'])
    await page.goto(`${url()}/desk/requests?status=declined&kind=access`)
    await page.getByRole('link', { name: 'Copy of the data: A. Candidate' }).waitFor()
    await page.getByLabel('Status').selectOption('completed')
    await page.getByText('No request fits this choice.').waitFor()
    expect(pathOf(page)).toContain('status=completed')
  })

  it('shows statements alone to whoever signs reports, and lets them mark one as read', async () => {
    const { id, sessionId } = await asked('context_statement')
    await asked('access', sessionId)
    const page = await open('requests', 'reviewer')
    await titleOn(page, 'Requests')
    await page.getByRole('link', { name: 'Statement: A. Candidate' }).waitFor()
    expect(await page.getByText('Copy of the data').count()).toBe(0)
    await page.getByRole('link', { name: 'Statement: A. Candidate' }).click()
    await onPage(page, 'Request of a candidate')
    await page.getByText('My neighbour mowed his lawn at eleven.').waitFor()
    expect(await page.getByLabel(field).count()).toBe(0)
    await pressOn(page, 'Mark as read')
    await page.getByText('marked as read', { exact: true }).waitFor()
    expect((await known(id)).status).toBe('completed')
  })

  it('is offered to nobody who may not, and speaks Hindi', async () => {
    const { id } = await asked('erasure')
    const page = await open(`requests/${id}`, 'interviewer')
    await page.getByText('Your role does not allow you to see this').waitFor()
    expect(await page.getByRole('link', { name: 'Requests', exact: true }).count()).toBe(0)
    const hindi = await open(`requests/${id}`, 'owner', { locale: 'hi-IN' })
    await onPage(hindi, 'उम्मीदवार का अनुरोध')
    await hindi.getByText('डिस्प्ले की तस्वीरें').waitFor()
  })
})
