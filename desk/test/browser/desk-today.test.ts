import { expect, it } from 'vitest'
import { sentRequest } from '../../../server/test/test-support/candidate-requests.ts'
import { memberWithCustomRole } from '../../../server/test/test-support/custom-role.ts'
import { begin, interviewed, invite, onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'
import { pathOf, tabTo } from './desk-web.test-support.ts'

const dayMs = 86_400_000

// A server of its own: what is due goes by its clock.
const ahead = { ms: 0 }
describeDesk('today in a browser', { ...narrow, now: () => Date.now() + ahead.ms }, ({ team, open }) => {
  const sections = ['Live now', 'Next', 'Waiting for review', 'Waiting for an answer', 'Due for deletion']

  it('says what there is to do, each with its time, and leads there by keyboard alone', async () => {
    const scope = { orgId: team.orgId, environment: 'live' } as const
    const later = { startsAt: '2099-05-20T09:00:00.000Z', durationMinutes: 60, timeZone: 'Europe/Berlin' }
    await invite(team, {}, { candidateLabel: 'Later One', schedule: later })
    await invite(team, {}, { candidateLabel: 'Next One' })
    const live = await invite(team, {}, { candidateLabel: 'Live One' })
    await begin(team, live)
    const { sessionId } = await interviewed(team)
    await sentRequest(team.server, scope, sessionId, 'access')
    await team.server.processAll()
    const page = await open('', 'owner')
    await onPage(page, 'Today')
    for (const name of sections) await page.getByRole('heading', { level: 2, name }).waitFor()
    const of = (name: string) => page.getByRole('heading', { level: 2, name }).locator('xpath=..')
    await of('Live now').getByRole('link', { name: 'Live One' }).waitFor()
    // The nearest first, though it was scheduled last.
    await of('Next').getByRole('link', { name: 'Next One' }).waitFor()
    await expect.poll(() => of('Next').getByRole('link').allTextContents()).toEqual(['Next One', 'Later One'])
    await of('Next')
      .getByText(/^20 Jan 2099/)
      .waitFor()
    await of('Waiting for review').getByRole('link', { name: 'A. Candidate' }).waitFor()
    await of('Waiting for an answer')
      .getByText(/answer due by/)
      .waitFor()
    await of('Due for deletion').getByText('Nothing is due for deletion within 7 days.').waitFor()
    await onPage(page, 'Today')
    await tabTo(page, 'Copy of the data: A. Candidate')
    await titleOn(page, 'Request of a candidate')
  })

  it('says how much is due for deletion, what a hold keeps of it, and leads to it', async () => {
    const [due, held] = [await interviewed(team), await interviewed(team)]
    await portal(
      team,
      'portal.retention.sessions.hold',
      { sessionId: held.sessionId },
      { on: true, reason: 'A court asked.' },
    )
    ahead.ms = 84 * dayMs
    const page = await open('', 'owner')
    await titleOn(page, 'Today')
    await page
      .getByText(/^\d+ interviews are due for deletion within 7 days\. 1 more is kept by legal hold\./)
      .waitFor()
    await tabTo(page, 'Look at them')
    await titleOn(page, 'Retention')
    expect(pathOf(page)).toContain('organisation/retention?days=7')
    await page.getByRole('link', { name: due.sessionId }).waitFor()
    ahead.ms = 0
  })

  it('has nothing of what a role may not see, and speaks Hindi', async () => {
    const member = await memberWithCustomRole({ server: team.server, scope: { orgId: team.orgId } })
    await member.holding(['session.view'])
    const page = await open('', { email: member.email }, { locale: 'hi-IN' })
    await page.getByRole('heading', { level: 2, name: 'आगे' }).waitFor()
    await expect
      .poll(() => page.getByRole('heading', { level: 2 }).allTextContents())
      .toEqual(expect.not.arrayContaining(['उत्तर की प्रतीक्षा में', 'हटाने का समय', 'समीक्षा की प्रतीक्षा में']))
    await onPage(page, 'आज')
  })
})
