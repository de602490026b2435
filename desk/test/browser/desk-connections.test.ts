import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { onPage, type Team } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember, addPerson, join } from '../../../server/test/test-support/portal.ts'
import { samlKeys } from '../../../server/test/test-support/saml-keys.ts'
import { directoryUrl } from '../../../server/test/test-support/scripted-directory.ts'
import { ldapBody, ssoDomain, verifyDomain } from '../../../server/test/test-support/sso.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { pathOf, signInOn, startDesk, storedIn, tabTo } from './desk-web.test-support.ts'

const chromium = findChromium('connections in a browser')
const bindPassword = 'bind-4711-secret'

describe.skipIf(!chromium)('connections in a browser', { timeout: 120_000 }, () => {
  let team: Team
  let browser: Browser
  beforeAll(async () => {
    team = await startDesk()
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await team?.server.stop()
  })
  const usually = { camera: false, locale: 'en-GB' }
  const visit = useVisits({ browser: () => browser, url: () => team.server.app.config.baseUrl, usually })
  const open = async (path: string, role: 'owner' | 'admin' | 'reviewer' = 'owner', n: 0 | 1 = 0): Promise<Page> => {
    const { page } = await visit(usually)
    const { email } = await addMember(team.server, role, team.server.orgs[n].orgId)
    await page.goto(`${team.server.app.config.baseUrl}/desk/connections/${path}`)
    await signInOn(page, email)
    return page
  }
  const described = async (page: Page, label: string): Promise<string> => {
    const field = page.getByLabel(label, { exact: true })
    const ids = (await field.getAttribute('aria-describedby')) ?? ''
    const texts = ids.split(' ').map((id) => page.locator(`[id="${id}"]`).textContent())
    return (await Promise.all(texts)).join(' ')
  }

  it('sets a directory, tries it, and requires it once it is said whose passwords end', async () => {
    const person = await addPerson(team.server, `asha@${ssoDomain}`)
    await join(team.server, person.userId, team.orgId, 'reviewer')
    const page = await open('sso')
    await onPage(page, 'Single sign-on')
    await page.getByLabel('Kind').selectOption('ldap')
    await page.getByLabel('Address of the directory').fill(directoryUrl)
    await page.getByLabel('Name of the service account (bind DN)').fill(ldapBody.bindDn)
    await page.getByLabel('Password of the service account').fill(bindPassword)
    await page.getByLabel('Where people are looked for (base DN)').fill(ldapBody.baseDn)
    await page.getByLabel('Filter that finds a person').fill('(uid=somebody)')
    await pressOn(page, 'Add a group')
    await page.getByLabel('Group 1', { exact: true }).fill('admins')
    await page.getByLabel('Role for group 1').selectOption('admin')
    await pressOn(page, 'Save the connection')
    await page.getByText('The service did not accept this').waitFor()
    expect(await described(page, 'Filter that finds a person')).toContain('must hold {username}')
    expect(await page.evaluate('document.activeElement.name')).toBe('userFilter')
    expect(await page.getByLabel('Password of the service account').inputValue()).toBe(bindPassword)
    expect(await storedIn(page)).not.toContain(bindPassword)
    await page.getByLabel('Filter that finds a person').fill(ldapBody.userFilter)
    await pressOn(page, 'Save the connection')
    await page.getByText('The connection is saved. Test it now.').waitFor()
    await page.getByText('admins: administrator').waitFor()
    expect(await page.content()).not.toContain(bindPassword)

    await pressOn(page, 'Require single sign-on')
    await page.getByRole('dialog').getByRole('button', { name: 'Require single sign-on' }).click()
    await page.getByText('no domain is verified yet: prove one first').waitFor()
    await verifyDomain(team.server, team.orgId, ssoDomain)
    await page.reload()
    await pressOn(page, 'Test the connection')
    await page.getByText('Reaching the directory: works.').waitFor()
    await page.getByText('Members who would have no password here once it is required: 1 of').waitFor()
    await page.getByText(`asha@${ssoDomain}`).waitFor()
    await onPage(page, 'Single sign-on')
    await pressOn(page, 'Require single sign-on')
    await page.getByRole('dialog').getByText('requiring single sign-on signs out').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Require single sign-on' }).click()
    await page.getByText('Single sign-on is required from now on.').waitFor()
    await page.goto(`${team.server.app.config.baseUrl}/desk/connections/domains`)
    await pressOn(page, `Give up the domain ${ssoDomain}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Give up the domain' }).click()
    await page.getByText('this is the last verified domain').waitFor()
  })

  it('sets an identity provider, and overwrites nobody who was faster', async () => {
    const page = await open('sso', 'owner', 1)
    await titleOn(page, 'Single sign-on')
    const fill = async () => {
      await page.getByLabel('Issuer (entity ID) of the identity provider').fill('https://idp.example')
      await page.getByLabel('Address for sign-ins', { exact: true }).fill('http://127.0.0.1:9/sso')
      await page
        .getByLabel('Certificates', { exact: true })
        .fill(`${samlKeys.a.certificate}\n${samlKeys.b.certificate}`)
    }
    await fill()
    await pressOn(page, 'Save the connection')
    await page.getByText('The connection is saved. Test it now.').waitFor()
    await pressOn(page, 'Test the connection')
    await page.getByText('it does not answer this service').waitFor()
    await pressOn(page, 'Change the connection')
    await fill()
    const { orgId } = team.server.orgs[1]
    await team.server.app.db.transact((tx) =>
      tx.run('UPDATE sso_connections SET updated_at = updated_at + 1000 WHERE org_id = ?', [orgId]),
    )
    const save = async () => {
      await pressOn(page, 'Save the connection')
      await page.getByText('Members of 0 verified domains sign in by the new one.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Save the connection' }).click()
    }
    await save()
    await page.getByText('Somebody else has saved a change since you began.').waitFor()
    expect(await page.getByLabel('Certificates', { exact: true }).inputValue()).toContain('BEGIN')
    await save()
    await page.getByText('The connection is saved. Test it now.').waitFor()
  })

  it('claims a domain by keyboard alone, and says which record is missing', async () => {
    const page = await open('domains', 'owner', 1)
    await onPage(page, 'Domains')
    await page.getByText('No domain is claimed.').waitFor()
    await page.getByLabel('Domain', { exact: true }).focus()
    await page.keyboard.type('co.uk')
    await page.keyboard.press('Enter')
    await page.getByText('The service did not accept this').waitFor()
    expect(await described(page, 'Domain')).toContain('is one below which anybody may register a name')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('harbour.example')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'harbour.example' }).waitFor()
    await page.getByText('_interview-integrity.harbour.example', { exact: true }).waitFor()
    await page.getByText(/^interview-integrity-domain=[0-9a-f]{40}$/).waitFor()
    await onPage(page, 'Domains')
    await page.getByRole('heading', { level: 1 }).focus()
    await tabTo(page, 'Look for the record')
    await page.getByText('No TXT record with this value was found at _interview-integrity.harbour.example').waitFor()
    await tabTo(page, 'Give up the domain')
    await tabTo(page, 'Give up the domain')
    await page.getByText('No domain is claimed.').waitFor()
  })

  it('offers each role its own, and the rest to nobody', async () => {
    const page = await open('sso', 'reviewer')
    await titleOn(page, 'There is no such page')
    expect(await page.getByRole('link', { name: 'Connections' }).count()).toBe(0)
    expect(pathOf(page)).toBe('/desk/connections/sso')
  })
})
