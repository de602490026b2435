import { expect, it } from 'vitest'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, narrow, theirsAt } from './desk-use.test-support.ts'

describeDesk('the statement for works councils in a browser', narrow, ({ team, open: openDesk }) => {
  const open = (role: 'owner' | 'admin' | 'reviewer', section = 'statement') =>
    openDesk(`organisation/${section}`, role)
  const kept = async () => (await portal(team, 'portal.orgs.get', {})).dataProtection

  it('takes who answers for the data, by keyboard, shows a refusal at its field, and says it in the statement', async () => {
    const page = await open('owner')
    await onPage(page, 'Statement')
    await page.getByText(/has not named the lawful basis/).waitFor()
    await page.getByLabel('Where to ask about data, or to complain').fill('nobody')
    await page.getByLabel('Lawful basis').selectOption('legitimate_interests')
    await page.getByRole('button', { name: 'Save what candidates read' }).focus()
    await page.keyboard.press('Enter')
    await page
      .getByText(/must be an e-mail address/)
      .first()
      .waitFor()
    expect((await kept()).lawfulBasis).toBeUndefined()
    await page.getByLabel('Where to ask about data, or to complain').fill('privacy@example.org')
    await page.keyboard.press('Enter')
    await page.getByText('Candidates read this from now on.').waitFor()
    await page.getByText(/Lawful basis: a legitimate interest/).waitFor()
    expect(await kept()).toMatchObject({ lawfulBasis: 'legitimate_interests', contact: 'privacy@example.org' })
    await page.getByText(/no simplified output/).waitFor()
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    const title = page.getByRole('heading', { level: 1, name: /\p{Script=Devanagari}/u })
    await onPage(page, await title.innerText())
  })

  it('tells the second of two owners, keeps what they typed, and saves it once they press again', async () => {
    const [first, second] = [await open('owner'), await open('owner')]
    const alternative = 'What you offer to whoever does not want to be recorded'
    for (const page of [first, second]) await page.getByLabel(alternative).waitFor()
    await first.getByLabel(alternative).fill('An interview in our office.')
    await pressOn(first, 'Save what candidates read')
    await first.getByText('Candidates read this from now on.').waitFor()
    await second.getByLabel(alternative).fill('A talk by phone.')
    await pressOn(second, 'Save what candidates read')
    await second.getByText(/^Somebody else has saved a change since you began\./).waitFor()
    expect((await kept()).alternative).toBe('An interview in our office.')
    expect(await second.getByLabel(alternative).inputValue()).toBe('A talk by phone.')
    const both = theirsAt(second, alternative)
    expect(await both.values()).toEqual(['A talk by phone.', 'An interview in our office.'])
    await both.take.check()
    expect(await second.getByLabel(alternative).inputValue()).toBe('An interview in our office.')
    await both.keep.check()
    await onPage(second, 'Statement')
    await pressOn(second, 'Save what candidates read')
    await second.getByText('Candidates read this from now on.').waitFor()
    expect((await kept()).alternative).toBe('A talk by phone.')
  })

  it('leaves base rates out by a switch, by keyboard, and tells the second of two owners', async () => {
    const [first, second] = [await open('owner'), await open('owner')]
    const label = 'Say in how many interviews a moment occurs'
    for (const page of [first, second]) await expect.poll(() => page.getByLabel(label).isChecked()).toBe(true)
    await first.getByLabel(label).focus()
    await first.keyboard.press('Space')
    await first.getByRole('button', { name: 'Save what reviewers see' }).focus()
    await first.keyboard.press('Enter')
    await first.getByText('Reviewers see it this way from now on.').waitFor()
    await onPage(first, 'Statement')
    const settings = async () => (await portal(team, 'portal.orgs.get', {})).review
    expect(await settings()).toMatchObject({ baseRates: false, version: 1 })
    await pressOn(second, 'Save what reviewers see')
    await second.getByText(/^Somebody else has saved a change since you began\./).waitFor()
    expect(await settings()).toMatchObject({ baseRates: false, version: 1 })
    expect(await theirsAt(second, label).values()).toEqual(['on', 'off'])
  })

  it('is saved as PDF and as JSON', async () => {
    const page = await open('admin')
    await onPage(page, 'Statement')
    for (const [button, name] of [
      ['Save as JSON, signed', /^statement-\d+-en\.json$/],
      ['Save as PDF, signed', /^statement-\d+-en\.pdf$/],
    ] as const) {
      const saving = page.waitForEvent('download')
      await pressOn(page, button)
      expect((await saving).suggestedFilename()).toMatch(name)
    }
  })

  it('is not offered to a reviewer', async () => {
    const page = await open('reviewer', 'members')
    await onPage(page, 'Members')
    await page.getByRole('link', { name: 'Roles' }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Statement' }).count()).toBe(0)
  })
})
