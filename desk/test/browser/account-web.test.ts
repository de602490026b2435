import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { beginTotp, codeAt } from '../../../server/test/test-support/factors.ts'
import { onPage } from '../../../server/test/test-support/link-pages.ts'
import { pressOn } from '../../../server/test/test-support/pages.ts'
import { addMember, addPerson, join } from '../../../server/test/test-support/portal.ts'
import { samlifyAnswer } from '../../../server/test/test-support/saml-idp.ts'
import { directoryPassword } from '../../../server/test/test-support/scripted-directory.ts'
import { testPassword } from '../../../server/test/test-support/server.ts'
import { seatOf } from '../../../server/test/test-support/sign-ins.ts'
import { beginSignInAt, configureSaml, configureSso, ldapBody } from '../../../server/test/test-support/sso.ts'
import { describeDesk } from './desk-use.test-support.ts'

describeDesk('the account in a browser', { own: true, width: 320, height: 720 }, ({ team, url, visit }) => {
  const open = async (options = {}): Promise<Page> => {
    const { page } = await visit(options)
    await page.goto(`${url()}/account/`)
    return page
  }
  const shot = async (page: Page, name: string) => {
    const folder = process.env['ACCOUNT_SHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }
  const signIn = async (page: Page, email: string) => {
    await onPage(page, 'Sign in to your account')
    await page.getByLabel('Your e-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await page.keyboard.press('Enter')
  }
  const prove = async (page: Page) => {
    await onPage(page, 'Confirm your password')
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await page.keyboard.press('Enter')
  }

  it.each([
    ['chat.installed', 'The chat app is connected.'],
    ['chat.declined', 'The chat app was not connected'],
  ])('says after the sign-in what somebody was sent for: %s', async (what, words) => {
    const { email } = await addMember(team.server, 'owner')
    const { page } = await visit()
    await page.goto(`${url()}/account/#${what}`)
    await signIn(page, email)
    await onPage(page, 'Your account')
    await page.getByText(words).waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await page.reload()
    await onPage(page, 'Your account')
    expect(await page.getByText(words).count()).toBe(0)
  })

  it('takes the name that they say, and says what a name is', async () => {
    const { email } = await addMember(team.server, 'owner')
    const page = await open()
    await signIn(page, email)
    await onPage(page, 'Your account')
    await page.getByLabel('Your name').fill('   ')
    await page.keyboard.press('Enter')
    await page.getByText('Please give a name of one line').waitFor()
    await page.getByLabel('Your name').fill('Asha Rao')
    await shot(page, 'name')
    await page.keyboard.press('Enter')
    await page.getByText('The name is saved.').waitFor()
    await page.reload()
    await onPage(page, 'Your account')
    expect(await page.getByLabel('Your name').inputValue()).toBe('Asha Rao')
  })

  it('adds an authenticator app, signs in with its code and with a recovery code, ends other sign-ins, and removes it', async () => {
    const { email, userId } = await addMember(team.server, 'owner')
    const page = await open()
    await signIn(page, email)
    await onPage(page, 'Your account')
    await shot(page, 'none')
    await pressOn(page, 'Add an authenticator app')
    await onPage(page, 'Confirm your password')
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('The password is wrong.').waitFor()
    await shot(page, 'proof-wrong')
    await prove(page)
    await onPage(page, 'Add an authenticator app')
    await shot(page, 'app')
    const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
    await page.getByLabel('Code of your authenticator app').fill('12345')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong, or was used before.').waitFor()
    await page.getByLabel('Code of your authenticator app').fill(codeAt(secret, Date.now()))
    await page.keyboard.press('Enter')
    await onPage(page, 'Save your recovery codes')
    await shot(page, 'codes')
    const codes = await page.locator('code.secret').allInnerTexts()
    expect(codes).toHaveLength(10)
    await pressOn(page, 'I have saved them')
    await onPage(page, 'Your account')
    expect(await page.content()).not.toContain(codes[0])
    await page.getByText('Recovery codes that are left: 10').waitFor()
    const other = await seatOf(team.server, userId)
    await page.reload()
    await page.getByText('Unknown program').waitFor()
    await shot(page, 'account')
    await pressOn(page, 'End all others')
    await page.getByText('Unknown program').waitFor({ state: 'detached' })
    expect((await fetch(`${url()}/v1/auth/me`, { headers: other })).status).toBe(401)
    await pressOn(page, 'Sign out')
    await signIn(page, email)
    await onPage(page, 'The second step')
    await page.getByLabel('Recovery code').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong, or was used before.').waitFor()
    await shot(page, 'step-wrong')
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await onPage(page, 'Your account')
    await page.getByText('Recovery codes that are left: 9').waitFor()
    await pressOn(page, 'Remove: Authenticator app')
    await prove(page)
    await page.getByText('You sign in with your password alone.').waitFor()
  })

  it('goes on where the identity provider leads back, second step included, and to there from a password', async () => {
    const scope = { orgId: team.server.orgs[0].orgId, environment: 'live' } as const
    const slug = await configureSaml({ server: team.server, scope })
    const person = await addPerson(team.server, 'seen@sso.example')
    await join(team.server, person.userId, scope.orgId, 'interviewer')
    const headers = await seatOf(team.server, person.userId)
    const { secret } = await beginTotp(team.server, headers)
    const body = { code: codeAt(secret, Date.now()) }
    const { recoveryCodes } = (await team.server.client().call('auth.factors.totp.confirm', { headers, body })).data
    const page = await open()
    const begun = await beginSignInAt(team.server, slug)
    const fields = await samlifyAnswer({ ...begun, now: Date.now() }, { email: person.email })
    await page.goto('about:blank')
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
    await page.setContent(
      `<form method="post" action="${url()}/v1/auth/sso/${slug}/acs">${inputs.join('')}<button>go</button>`,
    )
    await page.getByText(/^go$/).click()
    await onPage(page, 'The second step')
    expect(page.url()).toBe(`${url()}/account/`)
    await page.getByLabel('Recovery code').fill(recoveryCodes?.[0] ?? '')
    await page.keyboard.press('Enter')
    await onPage(page, 'Your account')
    await team.server.app.db.transact((tx) => tx.run('UPDATE sso_connections SET required = 1'))
    await pressOn(page, 'Sign out')
    await signIn(page, person.email)
    await page.getByText('Your organisation requires single sign-on.').waitFor()
    await shot(page, 'single-sign-on')
    const link = page.getByText('Sign in at your organisation')
    expect(await link.getAttribute('href')).toBe(`${url()}/v1/auth/sso/${slug}/login`)
  })

  it('signs in with the name and password of a directory, found by the address or in place of a password', async () => {
    const scope = { orgId: team.server.orgs[1].orgId, environment: 'live' } as const
    await team.server.app.db.transact((tx) => tx.run('DELETE FROM sso_verified_domains'))
    await configureSso({ server: team.server, scope }, ldapBody)
    const page = await open()
    const find = 'Sign in through my organisation'
    await pressOn(page, find)
    await page.getByText('Please give the e-mail address that you have at your organisation.').waitFor()
    const address = page.getByLabel('Your e-mail address')
    await address.fill('somebody@nowhere.example')
    await pressOn(page, find)
    await page.getByText('People with this address sign in with a password.').waitFor()
    await address.fill('dora@sso.example')
    await pressOn(page, find)
    const enter = async (name: string, password: string) => {
      await onPage(page, 'Sign in through your organisation')
      await page.getByLabel('Your name there').fill(name)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
    }
    await enter('dora', 'not it')
    await page.getByText('The name or the password is wrong.').waitFor()
    await shot(page, 'directory')
    await enter('dora', directoryPassword)
    await onPage(page, 'Your account')
    await page.getByText('You are signed in as dora@sso.example.').waitFor()
    await pressOn(page, 'Sign out')
    await team.server.app.db.transact(async (tx) => {
      await tx.run('UPDATE sso_connections SET required = 1')
      await tx.run(
        "UPDATE memberships SET active = 0 WHERE user_id = (SELECT user_id FROM users WHERE email = 'dora@sso.example')",
      )
    })
    const member = await addPerson(team.server, 'emil@sso.example')
    await join(team.server, member.userId, scope.orgId, 'interviewer')
    await signIn(page, member.email)
    await enter('dora', directoryPassword)
    await page.getByText('it has not given this account access').waitFor()
    await pressOn(page, 'Another way to sign in')
    await onPage(page, 'Sign in to your account')
  })

  it('adds a passkey and signs in with it', async () => {
    const { email } = await addMember(team.server, 'owner')
    const page = await open()
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('WebAuthn.enable')
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await signIn(page, email)
    await onPage(page, 'Your account')
    await pressOn(page, 'Add a passkey')
    await prove(page)
    await onPage(page, 'Save your recovery codes')
    await pressOn(page, 'I have saved them')
    await pressOn(page, 'Sign out')
    await signIn(page, email)
    await onPage(page, 'The second step')
    await shot(page, 'step')
    await pressOn(page, 'Sign in with a passkey')
    await onPage(page, 'Your account')
  })

  it('speaks Hindi, and says what is wrong with a password', async () => {
    const page = await open({ locale: 'hi-IN' })
    await onPage(page, 'अपने खाते में साइन-इन करें')
    await shot(page, 'hindi')
    const english = await open()
    await signIn(english, 'nobody.here@example.org')
    await english.getByText('The e-mail address or the password is wrong.').waitFor()
  })
})
