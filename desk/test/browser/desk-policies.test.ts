import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { interviewed, onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, narrow, theirsAt } from './desk-use.test-support.ts'
import { tabTo } from './desk-web.test-support.ts'

describeDesk('policies, retention and holds in a browser', narrow, ({ team, url, open }) => {
  let [due, other] = ['', '']
  beforeAll(async () => {
    due = (await interviewed(team)).sessionId
    other = (await interviewed(team)).sessionId
    await team.server.processAll()
    const longAgo = 200 * 86_400_000
    const sql = 'UPDATE session_windows SET ended_at = ended_at - ?, told_until = told_until - ? WHERE session_id = ?'
    await team.server.app.db.transact((tx) => tx.run(sql, [longAgo, longAgo, due]))
  })
  const signedIn = async (section: string, title: string, role: 'owner' | 'interviewer' = 'owner'): Promise<Page> => {
    const page = await open(`organisation/${section}`, role)
    await onPage(page, title)
    return page
  }

  it('places a hold with its reason, which keeps what is due, and releases it', async () => {
    const page = await signedIn(`holds?session=${due}`, 'Legal holds')
    await pressOn(page, 'Place the hold on the interview')
    await page.getByText('Please give a reason.').waitFor()
    await page.getByLabel('Reason for the interview’s hold').fill('Case 12')
    await pressOn(page, 'Place the hold on the interview')
    await page.getByText(`From now on nothing is deleted of: ${due}`).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Place the hold' }).click()
    await page.getByText('The hold is on.').waitFor()
    await page.getByText('1 interview is held now.').waitFor()
    const list = page.getByRole('listitem').filter({ hasText: 'Case 12 · ' })
    await expect.poll(() => list.filter({ has: page.getByRole('link', { name: due }) }).count()).toBe(2)
    const held = await portal(team, 'portal.retention.preview', {}, undefined, { days: 0 })
    expect(held.totals).toMatchObject({ sessions: 0, held: { sessions: 1 } })
    await onPage(page, 'Legal holds')
    await page.getByLabel('Reason for the interview’s hold').fill('Case 12 is closed')
    await pressOn(page, 'Release the interview’s hold')
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
    await page.getByText('The hold is released.').waitFor()
    await page.getByText(/Case 12 is closed · /).waitFor()
    await page.getByText('0 interviews are held now.').waitFor()
    const freed = await portal(team, 'portal.retention.preview', {}, undefined, { days: 0 })
    expect(freed.totals).toMatchObject({ sessions: 1, held: { sessions: 0 } })
  })

  it('refuses a hold of an unknown interview in the words of the service, and loses nothing that was typed', async () => {
    const page = await signedIn('holds', 'Legal holds')
    await page.getByLabel('Number of the interview').fill('ses_01jd0000000000000000000000')
    await page.getByLabel('Reason for the interview’s hold').fill('Case 13')
    await pressOn(page, 'Place the hold on the interview')
    await page.getByRole('dialog').getByRole('button', { name: 'Place the hold' }).click()
    await page
      .getByRole('alert')
      .getByText(/The service did not accept this: .*session/)
      .waitFor()
    expect(await page.getByLabel('Reason for the interview’s hold').inputValue()).toBe('Case 13')
  })

  it('shows the words of the service at the days, and says what fewer days would make due', async () => {
    const page = await signedIn('retention', 'Retention')
    const days = page.getByLabel('Days after the end of an interview')
    await days.fill('5000')
    await pressOn(page, 'Save the days')
    await page.getByText('It says why at the field.').waitFor()
    expect(await days.getAttribute('aria-invalid')).toBe('true')
    expect(await days.inputValue()).toBe('5000')
    await days.fill('30')
    await pressOn(page, 'Save the days')
    await page.getByText(/At most 2 interviews with \d+ recordings would be due/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save the days' }).click()
    await page.getByText('Saved: 30 days.').waitFor()
    expect(await portal(team, 'portal.retention.get', {})).toMatchObject({ defaultDays: 30, inForceDays: 30 })
    await onPage(page, 'Retention')
  })

  it('tells the second of two who set the days, keeps what is typed, and saves it by keyboard when asked again', async () => {
    await portal(team, 'portal.retention.put', {}, { defaultDays: 30 })
    const page = await signedIn('retention', 'Retention')
    const days = page.getByLabel('Days after the end of an interview')
    await days.fill('300')
    await portal(team, 'portal.retention.put', {}, { defaultDays: 40 })
    await days.focus()
    await tabTo(page, 'Save the days')
    await page.getByText(/^Somebody else has saved a change since you began/).waitFor()
    expect(await days.inputValue()).toBe('300')
    expect(await theirsAt(page, 'Days after the end of an interview').values()).toEqual(['300', '40'])
    expect(await portal(team, 'portal.retention.get', {})).toMatchObject({ defaultDays: 40 })
    await days.focus()
    await tabTo(page, 'Save the days')
    await page.getByText('Saved: 300 days.').waitFor()
    expect(await portal(team, 'portal.retention.get', {})).toMatchObject({ defaultDays: 300 })
    await portal(team, 'portal.retention.put', {}, { defaultDays: 30 })
  })

  it('deletes what is due by keyboard alone, once its number is typed', async () => {
    const page = await signedIn('retention?days=0', 'Retention')
    await page.getByText('1 interview with').first().waitFor()
    await page.getByText('Nothing was deleted by retention yet.').waitFor()
    // What is due now is due within 7 and within 30 days, too.
    for (const [label, days] of [
      ['within 7 days', 7],
      ['within 30 days', 30],
      ['now', 0],
    ] as const) {
      const { totals, total } = await portal(team, 'portal.retention.preview', {}, undefined, { days })
      const size = new RegExp(`^${totals.sessions} interviews? with ${totals.objects} recordings?`)
      await page
        .locator('dl > div', { has: page.getByText(label, { exact: true }) })
        .getByText(size)
        .waitFor()
      await page.getByLabel('Show what is due').selectOption({ label })
      await page.getByText(`${total} of ${total} shown`).waitFor()
    }
    await page.getByLabel('Type 1 to confirm').focus()
    await page.keyboard.type('2')
    await tabTo(page, 'Delete now')
    await page.getByText('Please type 1, the number of interviews').waitFor()
    await page.getByLabel('Type 1 to confirm').focus()
    await page.keyboard.press('Backspace')
    await page.keyboard.type('1')
    await tabTo(page, 'Delete now')
    await page.getByText(/1 interview with \d+ recordings? were deleted\./).waitFor()
    await page.getByText('completed').waitFor()
    const { state, erasedSessions } = await portal(team, 'portal.retention.sweep', {})
    expect([state, erasedSessions]).toEqual(['completed', 1])
    const kept = await team.api.call('sessions.get', { params: { id: other } })
    expect(kept.data.erasedAt).toBeNull()
    await onPage(page, 'Retention')
  })

  it('writes a policy with the page of the candidate beside it, in both languages', async () => {
    const page = await signedIn('policies', 'Policies')
    await page.getByRole('link', { name: 'New policy' }).click()
    await onPage(page, 'New policy')
    const table = page.getByRole('table', { name: 'What the candidate reads' })
    await table.getByText('one every 10 seconds').waitFor()
    await page.getByLabel('Seconds between pictures of the screen').fill('25')
    await table.getByText('one every 25 seconds').waitFor()
    await page.getByLabel('Use the camera').uncheck()
    await table.getByText('Pictures from your camera').waitFor({ state: 'detached' })
    await page.getByLabel('Language of the document').selectOption('hi')
    await table.getByText('25').first().waitFor()
    await page.getByLabel('Quality of the pictures, 10 to 100').fill('500')
    await page.getByLabel('Name of the policy').fill('First interviews')
    await pressOn(page, 'Save the policy')
    await page.getByText('It says why at the field.').waitFor()
    const quality = page.getByLabel('Quality of the pictures, 10 to 100')
    expect([await quality.getAttribute('aria-invalid'), await quality.inputValue()]).toEqual(['true', '500'])
    await quality.fill('60')
    await pressOn(page, 'Save the policy')
    await onPage(page, 'Policy')
    const { items } = await portal(team, 'portal.policies.list', {})
    expect(items[0]?.config).toMatchObject({
      capture: { screenshotIntervalSeconds: 25, quality: 60 },
      camera: { enabled: false },
    })
  })

  it('tells the second of two who write the next version, keeps their words, and compares', async () => {
    const { id } = await portal(team, 'portal.policies.create', {}, { name: 'Second', config: {} })
    await team.api.call('sessions.create', { body: { candidateLabel: 'Uses it', policyId: id } })
    const page = await signedIn(`policies/${id}?edit=yes`, 'Write the next version')
    await page.getByLabel('Seconds between pictures of the screen').fill('40')
    const versions = { policyId: id }
    await portal(team, 'portal.policies.versions.create', versions, { config: { retentionDays: 20 } })
    await pressOn(page, 'Save the next version')
    await page.getByText(/^Somebody else has saved a change since you began/).waitFor()
    expect(await page.getByLabel('Seconds between pictures of the screen').inputValue()).toBe('40')
    expect(await theirsAt(page, 'Seconds between pictures of the screen').values()).toEqual(['40', '10'])
    expect(await theirsAt(page, 'Days that recordings are kept').values()).toEqual(['90', '20'])
    expect(await page.getByLabel('Days that recordings are kept').inputValue()).toBe('20')
    await pressOn(page, 'Save the next version')
    await onPage(page, 'Policy')
    await page.getByText('Second · version 3').waitFor()
    await page.getByLabel('Compare').selectOption('1')
    const row = page.getByRole('row', { name: /^Seconds between pictures of the screen/ })
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['10', '40'])
    await page.getByText('Uses it').waitFor()
    await pressOn(page, 'Archive this policy')
    await page.getByText('1 scheduled interview of the newest keep').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive this policy' }).click()
    await page.getByText('This policy is archived:').waitFor()
    expect(await portal(team, 'portal.policies.get', versions)).toMatchObject({ state: 'archived', version: 3 })
  })

  it('lets an interviewer read policies, and offers neither the editor nor retention', async () => {
    const page = await signedIn('policies', 'Policies', 'interviewer')
    await page.getByLabel('State').waitFor()
    expect(await page.getByRole('link', { name: /^(New policy|Retention|Legal holds)$/ }).count()).toBe(0)
    await page.goto(`${url()}/desk/organisation/retention`)
    await titleOn(page, 'There is no such page')
  })
})
