import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startTimeAuthority } from '../../../server/src/platform/timestamps/time-authority.test-support.ts'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, narrow, theirsAt } from './desk-use.test-support.ts'
import { pathOf, tabTo } from './desk-web.test-support.ts'

// A server of its own, as its clock goes on by hours.
describeDesk('the page of an organisation as a whole', { ...narrow, own: true }, ({ team, open }) => {
  const openAs = async (role: 'owner' | 'interviewer'): Promise<Page> => {
    const page = await open('', role)
    await onPage(page, 'Today')
    await page.getByRole('link', { name: 'Organisation', exact: true }).click()
    await page.getByRole('link', { name: 'The organisation', exact: true }).click()
    await titleOn(page, 'The organisation')
    return page
  }

  it('asks before it requires a second step of everybody, and says what stands against it', async () => {
    const page = await openAs('owner')
    await page.getByText('Each member decides about a second step.').waitFor()
    await pressOn(page, 'Require it of everybody')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/It holds for all \d+ active members/).waitFor()
    await dialog.getByRole('button', { name: 'Require it of everybody' }).click()
    await page.getByText('Add a second step to your own account first.').waitFor()
    await page.getByText('Each member decides about a second step.').waitFor()
  })

  it('saves where checkpoints go, and shows it again', async () => {
    const page = await openAs('owner')
    await page.getByLabel('Publish each hourly one to webhooks').check()
    await pressOn(page, 'Save where checkpoints go')
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.reload()
    await titleOn(page, 'The organisation')
    await expect.poll(() => page.getByLabel('Publish each hourly one to webhooks').isChecked()).toBe(true)
    await expect.poll(() => page.getByLabel('Mail the newest one to owners').isChecked()).toBe(false)
  })

  it('says at the field what the service refuses, and tells the second of two who set it, by keyboard alone', async () => {
    const page = await openAs('owner')
    const url = page.getByLabel('Address of a witness')
    await url.focus()
    await page.keyboard.type('nowhere')
    await tabTo(page, 'Save where checkpoints go')
    await page.getByText('It says why at the field.').waitFor()
    expect(await url.getAttribute('aria-invalid')).toBe('true')
    await url.fill('')
    const { mail } = await portal(team, 'portal.witnesses.get', {})
    await portal(team, 'portal.witnesses.set', {}, { mail: !mail, webhook: false, witness: null })
    await url.focus()
    await tabTo(page, 'Save where checkpoints go')
    await page.getByText(/^Somebody else has saved a change since you began/).waitFor()
    expect(await portal(team, 'portal.witnesses.get', {})).toMatchObject({ mail: !mail })
    const mailed = theirsAt(page, 'Mail the newest one to owners')
    expect(await mailed.values()).toEqual(mail ? ['on', 'off'] : ['off', 'on'])
    await mailed.take.focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => mailed.keep.isChecked()).toBe(true)
    await url.focus()
    await tabTo(page, 'Save where checkpoints go')
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect(await portal(team, 'portal.witnesses.get', {})).toMatchObject({ mail })
  })

  it('tries a time-stamp authority before it saves it, and says at the field why not', async () => {
    const authority = await startTimeAuthority()
    const page = await openAs('owner')
    await page.getByLabel('Address of a time-stamp authority').fill(authority.url)
    await pressOn(page, 'Try it and save')
    await page.getByText(/its certificate leads to none that is trusted here/).waitFor()
    await page.getByLabel('Certificates of the authority').fill(authority.ca)
    await pressOn(page, 'Try it and save')
    await page.getByText('The authority gave a time stamp that holds. Saved.').waitFor()
    team.server.clock.advance(3_600_000)
    await team.server.processAll()
    team.server.clock.advance(300_000)
    await team.server.processAll()
    await page.reload()
    await titleOn(page, 'The organisation')
    await page.getByText(/[0-9]+ rows, stamped at .* by O=Times, CN=stamps/).waitFor()
    expect(await page.getByLabel('Address of a time-stamp authority').inputValue()).toBe(authority.url)
    await authority.remove()
  })

  it('makes a further organisation by keyboard, and goes to its desk', async () => {
    const page = await openAs('owner')
    await tabTo(page, 'Make the organisation')
    await page.getByText('Please give it a name.').waitFor()
    await page.getByLabel('Its name').focus()
    await page.keyboard.type('Lighthouse Hiring')
    await page.keyboard.press('Enter')
    await onPage(page, 'Today')
    expect(pathOf(page)).toBe('/desk/lighthouse-hiring/')
    await page.getByText('Organisation: Lighthouse Hiring.').waitFor()
  })

  it('offers nothing to who may change nothing', async () => {
    const page = await openAs('interviewer')
    await page.getByText('Each member decides about a second step.').waitFor()
    expect(await page.getByRole('button', { name: 'Require it of everybody' }).count()).toBe(0)
    expect(await page.getByText('Checkpoints of the audit trail').count()).toBe(0)
  })
})
