import { expect, it } from 'vitest'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'

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
