import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { addTotp } from '../../../server/test/test-support/factors.ts'
import { freePort } from '../../../server/test/test-support/guide-server.ts'
import { expireInvite, pendingInvite } from '../../../server/test/test-support/invites.ts'
import { onPage, portal, startInviting, type Team } from '../../../server/test/test-support/link-pages.ts'
import { parseOutbox } from '../../../server/test/test-support/mail.ts'
import { pressOn } from '../../../server/test/test-support/pages.ts'
import { goodPassword } from '../../../server/test/test-support/password-links.ts'
import { addMember, addPerson, deactivate, join, signIn } from '../../../server/test/test-support/portal.ts'
import type { VisitOptions } from '../../../server/test/test-support/room-pages.ts'
import { testPassword } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('invites in a browser')

describe.skipIf(!chromium)('an invite in a browser', { timeout: 120_000 }, () => {
  let team: Team
  let browser: Browser
  let org: string
  beforeAll(async () => {
    // What hands out cookies answers the pages of its own address alone.
    const port = String(await freePort())
    team = await startInviting(undefined, { PORT: port, BASE_URL: `http://127.0.0.1:${port}` })
    org = (await portal(team, 'portal.orgs.get', {})).name
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await team?.server.stop()
  })
  const usually = { camera: false, locale: 'en-GB' }
  const visit = useVisits({ browser: () => browser, url: () => team.server.url, usually })
  type Cookies = Readonly<Record<string, string>>
  const open = async (
    hash: string,
    { cookies = {}, ...options }: VisitOptions & { cookies?: Cookies } = {},
  ): Promise<Page> => {
    const { page, context } = await visit({ ...usually, ...options })
    const { url } = team.server
    await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
    await page.setViewportSize({ width: 320, height: 720 })
    await page.goto(`${url}/invite/${hash}`)
    return page
  }
  /** What is behind the `#` of the link in the newest message to an address. */
  const mailedHash = async (email: string): Promise<string> => {
    await team.server.processAll()
    const mails = (await parseOutbox(team.server)).filter(({ to }) => to?.[0]?.address === email)
    const [link = ''] = /http\S+/.exec(mails.at(-1)?.text ?? '') ?? []
    expect(link).toContain(`${team.server.url}/invite/#`)
    return new URL(link).hash
  }
  const linkOf = ({ id, token }: { id: string; token: string }) => `#${id}.${token}`
  const shot = async (page: Page, name: string) => {
    const folder = process.env['INVITE_SHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }
  const signedInAs = async (page: Page) => {
    const answer = await page.request.get(`${team.server.url}/v1/auth/me`)
    return ((await answer.json()) as { data: { user: { email: string } } }).data.user.email
  }

  it('by its mailed link is accepted with a new account by keyboard alone, after it said what is missing', async () => {
    const invite = await pendingInvite(team.server, { role: 'interviewer', message: 'Hello Asha,\nwelcome!' })
    const page = await open(await mailedHash(invite.email))
    await onPage(page, `${org} invites you`)
    expect(page.url()).not.toContain('inv_')
    await page.getByText('Your role there: interviewer.').waitFor()
    await page.getByText('welcome!').waitFor()
    await shot(page, 'new')
    await pressOn(page, 'Accept the invitation')
    await page.getByText('Please enter your name.').waitFor()
    await onPage(page, `${org} invites you`)
    await shot(page, 'new-wrong')
    expect(await page.evaluate('document.activeElement.name')).toBe('name')
    await page.keyboard.type('Asha Rao')
    await page.keyboard.press('Tab')
    await page.keyboard.type('passwordpassword')
    await page.keyboard.press('Enter')
    await page.getByText('This password cannot be used.').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('password')
    await page.keyboard.press('Control+A')
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')
    await onPage(page, `You are a member of ${org}`)
    await shot(page, 'done')
    expect(await signedInAs(page)).toBe(invite.email)
    await page.reload()
    await onPage(page, 'This invitation has been accepted')
    await shot(page, 'accepted')
  })

  it('asks an address that has an account for its password', async () => {
    const { email } = await addPerson(team.server)
    const page = await open(linkOf(await pendingInvite(team.server, { email })))
    await onPage(page, `${org} invites you`)
    await shot(page, 'password')
    await pressOn(page, 'Accept the invitation')
    await page.getByText('Please enter the password of the account.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('not this one at all')
    await pressOn(page, 'Accept the invitation')
    await page.getByText('This is not the password of the account.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await pressOn(page, 'Accept the invitation')
    await onPage(page, `You are a member of ${org}`)
  })

  it('is accepted by one press of who is signed in, also when only the renewing cookie is left', async () => {
    for (const kept of ['portal_access', 'portal_refresh'] as const) {
      const { email } = await addPerson(team.server)
      const { access, refresh } = await signIn(team.server, email)
      const cookies: Cookies = { [kept]: kept === 'portal_access' ? access : refresh }
      const page = await open(linkOf(await pendingInvite(team.server, { email })), { cookies })
      await onPage(page, `${org} invites you`)
      await page.getByText(`You are signed in as ${email}`).waitFor()
      expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
      await shot(page, 'signed-in')
      await pressOn(page, 'Accept the invitation')
      await onPage(page, `You are a member of ${org}`)
      expect(await signedInAs(page)).toBe(email)
    }
  })

  it('asks for the password where the sign-in ended meanwhile, with the cursor in its field', async () => {
    const { email } = await addPerson(team.server)
    const { access } = await signIn(team.server, email)
    const page = await open(linkOf(await pendingInvite(team.server, { email })), { cookies: { portal_access: access } })
    await page.getByText(`You are signed in as ${email}`).waitFor()
    await page.context().clearCookies()
    await pressOn(page, 'Accept the invitation')
    await page.getByText('Please enter the password of the account.').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('password')
    await page.keyboard.type(testPassword)
    await page.keyboard.press('Enter')
    await onPage(page, `You are a member of ${org}`)
  })

  it('says that an account has a second step, which is taken where one signs in', async () => {
    const { email } = await addTotp(team.server, await addMember(team.server, 'reviewer', team.server.orgs[1].orgId))
    const page = await open(linkOf(await pendingInvite(team.server, { email })))
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await pressOn(page, 'Accept the invitation')
    await page.getByText('This account has a second step.').waitFor()
  })

  it('leads to where a second step is added when the organisation asks for one', async () => {
    const { orgId } = team.server.orgs[0]
    const require = (required: 0 | 1) =>
      team.server.app.db.transact((tx) =>
        tx.run('UPDATE orgs SET second_factor_required = ? WHERE org_id = ?', [required, orgId]),
      )
    const { email } = await addPerson(team.server)
    const page = await open(linkOf(await pendingInvite(team.server, { email })))
    await require(1)
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await pressOn(page, 'Accept the invitation')
    await onPage(page, `You are a member of ${org}`)
    await shot(page, 'factor')
    await page.getByText(`${org} asks its members for a second step`).waitFor()
    await page.getByRole('link', { name: 'Add a second step' }).click()
    await page.waitForURL('**/account/')
    await require(0)
  })

  it('tells who is signed in with another address, and then signs in as the invited one', async () => {
    const [other, invited] = [await addPerson(team.server), await addPerson(team.server)]
    const { access } = await signIn(team.server, other.email)
    const invite = await pendingInvite(team.server, { email: invited.email })
    const page = await open(linkOf(invite), { cookies: { portal_access: access } })
    await onPage(page, `${org} invites you`)
    await page.getByText(`You are signed in as ${other.email}. When you accept`).waitFor()
    await shot(page, 'other')
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await pressOn(page, 'Accept the invitation')
    await onPage(page, `You are a member of ${org}`)
    expect(await signedInAs(page)).toBe(invited.email)
  })

  it('says calmly why it cannot be accepted, and what to do', async () => {
    const [revoked, expired, replaced] = [
      await pendingInvite(team.server),
      await pendingInvite(team.server),
      await pendingInvite(team.server),
    ]
    await portal(team, 'portal.invites.revoke', { inviteId: revoked.id })
    await expireInvite(team.server, expired.id)
    await portal(team, 'portal.invites.resend', { inviteId: replaced.id })
    const told = [
      [revoked, 'This invitation was withdrawn'],
      [expired, 'This invitation has expired'],
      [replaced, 'There is a newer link for you'],
    ] as const
    for (const [invite, title] of told) {
      const page = await open(linkOf(invite))
      await onPage(page, title)
      await shot(page, title.replaceAll(' ', '-'))
    }
  })

  it('says it of who is a member already, or was one, too', async () => {
    const { userId, email } = await addPerson(team.server)
    const link = linkOf(await pendingInvite(team.server, { email }))
    await join(team.server, userId, team.orgId, 'reviewer')
    const accept = async (title: string) => {
      const page = await open(link)
      await page.getByLabel('Password', { exact: true }).fill(testPassword)
      await pressOn(page, 'Accept the invitation')
      await onPage(page, title)
      await shot(page, title.replaceAll(' ', '-'))
    }
    await accept('You are a member already')
    await deactivate(team.server, userId)
    await accept('Your membership is not active')
  })

  it('speaks Hindi', async () => {
    const { email } = await addPerson(team.server)
    const invites = [await pendingInvite(team.server), await pendingInvite(team.server, { email })]
    for (const [n, invite] of invites.entries()) {
      const page = await open(linkOf(invite), { locale: 'hi-IN' })
      await onPage(page, `${org} आपको आमंत्रित करता है`)
      await shot(page, `hi-${n}`)
    }
    await expireInvite(team.server, invites[0]?.id ?? '')
    await onPage(await open(linkOf(invites[0]!), { locale: 'hi-IN' }), 'इस निमंत्रण का समय समाप्त हो गया है')
  })

  it('says that a link is not right, or that there is none', async () => {
    for (const hash of ['', '#x', `#inv_1.inv_${'0'.repeat(32)}`])
      await onPage(await open(hash), 'This link does not work')
  })
})
