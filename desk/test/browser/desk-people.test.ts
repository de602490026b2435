import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { readOutbox } from '../../../server/test/test-support/mail.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember, deactivate } from '../../../server/test/test-support/portal.ts'
import { describeDesk, narrow, theirsAt } from './desk-use.test-support.ts'
import { tabTo } from './desk-web.test-support.ts'

describeDesk('the people of an organisation in a browser', narrow, ({ team, open }) => {
  type Role = Parameters<typeof addMember>[1]
  const signedIn = async (section: string, title: string, role: Role = 'owner', orgId = team.orgId): Promise<Page> => {
    const page = await open(`organisation/${section}`, await addMember(team.server, role, orgId))
    await onPage(page, title)
    return page
  }
  const members = async (q: string) => (await portal(team, 'portal.members.list', {}, undefined, { q })).items

  it('adds a member, who is written to, and shows the words of the service where it refuses', async () => {
    const page = await signedIn('members', 'Members')
    await page.getByRole('link', { name: 'Add a member' }).click()
    await onPage(page, 'Add a member')
    await pressOn(page, 'Add')
    await page.getByText('This is no e-mail address.').waitFor()
    await page.getByLabel('E-mail address').fill('tara@example.org')
    await page.getByLabel('Name').fill('Tara K.')
    await page.getByLabel('Role').selectOption('reviewer')
    await pressOn(page, 'Add')
    await page.getByText('Tara K. is a member now. The service writes to tara@example.org.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('')
    await team.server.processAll()
    const letters = (await readOutbox(team.server)).filter(({ to }) => JSON.stringify(to).includes('tara@example.org'))
    expect(letters).toHaveLength(1)
    await page.getByLabel('E-mail address').fill('tara@example.org')
    await page.getByLabel('Name').fill('Tara again')
    await pressOn(page, 'Add')
    await page
      .getByRole('alert')
      .getByText(/this is a member already/)
      .waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Tara again')
    await onPage(page, 'Add a member')
  })

  it('finds a member, gives another role, and ends the membership after a question with its numbers', async () => {
    const { email, userId } = await addMember(team.server, 'interviewer')
    const page = await signedIn('members', 'Members')
    await page.getByLabel('Name or e-mail address').fill(email)
    await pressOn(page, 'Search')
    await page.getByText('1 of 1 shown').waitFor()
    await pressOn(page, `Change ${email}`)
    const row = page.getByRole('listitem').filter({ hasText: email })
    await row.getByLabel('Role').selectOption('reviewer')
    await pressOn(page, 'Save the role')
    await page.getByText('The role is saved.').waitFor()
    expect((await members(email))[0]).toMatchObject({ userId, role: 'reviewer', active: true })
    await pressOn(page, `Deactivate ${email}`)
    await page.getByText('0 pending invites of theirs will end.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText(`${email} is deactivated.`).waitFor()
    expect((await members(email))[0]).toMatchObject({ role: 'reviewer', active: false })
    await onPage(page, 'Members')
    await pressOn(page, `Reactivate ${email}`)
    await page.getByText(`${email} is active again`).waitFor()
    expect((await members(email))[0]).toMatchObject({ active: true })
  })

  it('says of the last owner why nothing can be changed', async () => {
    const { orgId } = team.server.orgs[1]
    const { email } = await addMember(team.server, 'owner', orgId)
    const others = await team.server.app.db.reader.all<{ id: string }>(
      `SELECT m.user_id AS id FROM memberships m JOIN users u ON u.user_id = m.user_id
       WHERE m.org_id = ? AND m.role = 'owner' AND u.email <> ?`,
      [orgId, email],
    )
    for (const { id } of others) await deactivate(team.server, id)
    const page = await signedIn('members?role=owner&active=true', 'Members', 'admin', orgId)
    await pressOn(page, `Change ${email}`)
    await page.getByText(`${email} is the only active owner. An organisation always has one`).waitFor()
    expect(await page.getByRole('button', { name: /Deactivate|Save the role/ }).count()).toBe(0)
  })

  it('invites by keyboard alone, and revokes after a question', async () => {
    const page = await signedIn('invites', 'Invites')
    await page.getByText('Nobody was invited yet.').waitFor()
    await page.getByLabel('E-mail address').focus()
    await page.keyboard.type('ravi@example.org')
    await tabTo(page, 'Send the invite')
    await page.getByText('The invite to ravi@example.org is on its way.').waitFor()
    await page.getByText(/interviewer · waiting for an answer/).waitFor()
    await tabTo(page, 'Revoke')
    await page.getByText('The 1 link in the letter will stop working.').waitFor()
    await tabTo(page, 'Revoke')
    await page.getByText(/interviewer · revoked/).waitFor()
    const { items } = await portal(team, 'portal.invites.list', {})
    expect(items.map(({ email, status }) => [email, status])).toEqual([['ravi@example.org', 'revoked']])
    await onPage(page, 'Invites')
  })

  it('shows roles by sentences, gives a custom role away, changes it with its numbers, and deletes it', async () => {
    const { email } = await addMember(team.server, 'interviewer')
    const page = await signedIn('roles', 'Roles')
    const row = page.getByRole('row', { name: /^Place and release legal holds/ })
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['yes', 'yes', '–', '–'])
    await page.getByRole('link', { name: 'New custom role' }).click()
    await onPage(page, 'New custom role')
    await pressOn(page, 'Save the custom role')
    await page.getByText('Please give the role a name.').waitFor()
    await page.getByLabel('Name of the role').fill('Archivist')
    await pressOn(page, 'Save the custom role')
    await page.getByText('Please choose at least one permission.').waitFor()
    await page.getByLabel('See interviews and their state').check()
    await pressOn(page, 'Save the custom role')
    await onPage(page, 'Roles')
    await page.getByText('Nobody holds it.').waitFor()
    const { items } = await portal(team, 'portal.roles.list', {})
    const [role] = items
    const [member] = await members(email)
    await portal(team, 'portal.roles.assign', { membershipId: member?.id ?? '' }, { roleId: role?.id })
    await page.reload()
    await page.getByText(`1 member holds it: ${email}`).waitFor()
    await page.getByRole('link', { name: 'Change Archivist' }).click()
    await page.getByLabel('Place and release legal holds').check()
    await pressOn(page, 'Save the custom role')
    await page.getByText('1 member gets 1 permission more and 0 fewer').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save the custom role' }).click()
    await onPage(page, 'Roles')
    const changed = (await portal(team, 'portal.roles.list', {})).items[0]
    expect(changed?.permissions).toEqual(['session.view', 'legal_hold.manage'])
    await page.getByRole('link', { name: 'Change Archivist' }).click()
    await portal(team, 'portal.roles.change', { roleId: role?.id ?? '' }, { description: 'For the archive.' })
    await page.getByLabel('Name of the role').fill('Keeper')
    await pressOn(page, 'Save the custom role')
    await page.getByText(/^Somebody else has saved a change since you began/).waitFor()
    expect(await theirsAt(page, 'Name of the role').values()).toEqual(['Keeper', 'Archivist'])
    expect(await theirsAt(page, 'What the role is for').values()).toEqual(['nothing', 'For the archive.'])
    expect(await page.getByLabel('Name of the role').inputValue()).toBe('Keeper')
    await pressOn(page, 'Delete this role')
    await page.getByText('1 member returns to the built-in role.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete this role' }).click()
    await titleOn(page, 'Roles')
    expect((await portal(team, 'portal.roles.list', {})).total).toBe(0)
  })

  it('speaks Hindi, and offers a reviewer nothing to change', async () => {
    const page = await open('organisation/members', 'reviewer', { locale: 'hi-IN' })
    await onPage(page, 'सदस्य')
    await page.getByText('निष्क्रिय किए गए लोग भी').waitFor()
    expect(await page.getByRole('button', { name: /को बदलें$/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'निमंत्रण' }).count()).toBe(0)
    await titleOn(page, 'सदस्य')
  })
})
