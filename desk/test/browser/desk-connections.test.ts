import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stageNews } from '../../../server/test/test-support/ats.ts'
import {
  type AtsDouble,
  haveAts,
  startAtsDouble,
  theirApplicant,
} from '../../../server/test/test-support/ats-double.ts'
import { theirCredentials } from '../../../server/test/test-support/ats-systems.ts'
import { onPage } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember, addPerson, join, signIn } from '../../../server/test/test-support/portal.ts'
import { samlKeys } from '../../../server/test/test-support/saml-keys.ts'
import { directoryUrl } from '../../../server/test/test-support/scripted-directory.ts'
import { ldapBody, ssoDomain, verifyDomain } from '../../../server/test/test-support/sso.ts'
import { describeDesk } from './desk-use.test-support.ts'
import { pathOf, storedIn, tabTo } from './desk-web.test-support.ts'

const bindPassword = 'bind-4711-secret'

describeDesk('connections in a browser', { own: true }, ({ team, url: baseUrl, open: openDesk }) => {
  let ats: AtsDouble
  beforeAll(async () => {
    ats = await startAtsDouble()
    haveAts(team.server, ats)
  })
  afterAll(async () => {
    await ats?.stop()
  })
  const open = async (path: string, role: 'owner' | 'admin' | 'reviewer' = 'owner', n: 0 | 1 = 0): Promise<Page> =>
    openDesk(`connections/${path}`, await addMember(team.server, role, team.server.orgs[n].orgId))
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
    await page.goto(`${baseUrl()}/desk/connections/domains`)
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

  it('makes a token of the identity provider, shows it once, and lists what was done with it', async () => {
    const page = await open('provisioning', 'owner', 1)
    await onPage(page, 'Provisioning')
    await page.getByText('No token has been made, so provisioning is off.').waitFor()
    await pressOn(page, 'Make a token')
    await page.getByText('An organisation has 1 token.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a token' }).click()
    const token = (await page.getByText(/^scim_\w+$/).textContent()) ?? ''
    const url = `${baseUrl()}/scim/v2`
    await page.getByText(url, { exact: true }).waitFor()
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group']
    const made = await fetch(`${url}/Groups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ schemas, displayName: 'Reviewers' }),
    })
    expect(made.status).toBe(201)
    await onPage(page, 'Provisioning')
    await pressOn(page, 'I have put it in its place')
    expect(await page.content()).not.toContain(token)
    await page.reload()
    await page.getByText('Made a group').waitFor()
    await page.getByText('made the token that works now').waitFor()
    await pressOn(page, 'Turn provisioning off')
    await page.getByRole('dialog').getByRole('button', { name: 'Turn provisioning off' }).click()
    await page.getByText('turned provisioning off').waitFor()
  })

  it('connects a hiring system that was tried, maps its stages, and runs again what failed', async () => {
    const page = await open('hiring-systems', 'admin')
    await onPage(page, 'Hiring systems')
    await page.getByText('No hiring system is connected.').waitFor()
    await page.getByLabel('System', { exact: true }).selectOption('lever')
    await page.getByLabel('Name here').fill('Engineering')
    await page.getByLabel('API key of the hiring system').fill('a-wrong-key')
    await pressOn(page, 'Try and connect')
    await page.getByText('does not take the credentials').waitFor()
    expect(await page.getByLabel('API key of the hiring system').inputValue()).toBe('a-wrong-key')
    await page.getByLabel('API key of the hiring system').fill(theirCredentials.lever.apiKey)
    await pressOn(page, 'Try and connect')
    const secret = (await page.getByText(/^atsin_\w+$/).textContent()) ?? ''
    await onPage(page, 'Hiring systems')
    await page.getByRole('link', { name: 'Engineering' }).click()
    await onPage(page, 'Hiring system')
    expect(await page.content()).not.toContain(secret)
    expect(await page.content()).not.toContain(theirCredentials.lever.apiKey)
    await page.getByLabel('Stages that make an interview').fill('Technical interview')
    await page.getByLabel('What an interview is called by').selectOption('application_id')
    await pressOn(page, 'Save')
    await page.getByText('The change is saved.').waitFor()
    const inbound = (await page.getByText(/\/v1\/integrations\/ats\//).textContent()) ?? ''
    const person = theirApplicant(ats)
    ats.fault = () => ({ status: 401 })
    const { headers, payload } = stageNews.lever(person, { now: Date.now(), secret })
    expect((await fetch(inbound, { method: 'POST', headers, body: payload })).status).toBe(200)
    await team.server.processAll()
    ats.fault = undefined
    await page.reload()
    await page.getByText('the other side refuses the credentials').first().waitFor()
    await page.getByLabel('API key of the hiring system').fill(theirCredentials.lever.apiKey)
    await pressOn(page, 'Try and replace')
    await page.getByText('The new credentials work and are saved.').waitFor()
    await page.getByLabel('State').selectOption('failed')
    await page.getByRole('button', { name: /^Run it again: A candidate entered a stage/ }).click()
    await page.getByText('It runs again, as a new entry').waitFor()
    await team.server.processAll()
    const { items } = (await team.api.call('sessions.list', { query: { externalId: `lever:${person.applicationId}` } }))
      .data
    expect(items).toMatchObject([{ candidateLabel: person.applicationId }])
    await pressOn(page, 'Disconnect')
    await page.getByRole('dialog').getByText('The log stays.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('It is disconnected.').waitFor()
    await onPage(page, 'Hiring systems')
    expect(ats.broken).toEqual([])
  })

  it('connects a channel in Hindi, chooses what is announced, and says what the operator has not set up', async () => {
    const page = await open('chat', 'admin')
    await titleOn(page, 'Chat')
    await pressOn(page, 'हिन्दी')
    await onPage(page, 'चैट')
    await page.getByText(/इस सेवा के संचालक ने इसे सेट नहीं किया है/).waitFor()
    await page.getByLabel('चैनल जिसमें वर्कफ़्लो पोस्ट करता है').fill('Hiring')
    await page.getByLabel('वर्कफ़्लो का पता').fill('no address')
    await pressOn(page, 'चैनल जोड़ें')
    await page.getByText('सेवा ने इसे स्वीकार नहीं किया').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('url')
    await page.getByLabel('वर्कफ़्लो का पता').fill('http://127.0.0.1:9/workflows/secret-4711')
    await pressOn(page, 'चैनल जोड़ें')
    await page.getByRole('link', { name: 'Hiring' }).click()
    await onPage(page, 'चैट ऐप')
    expect(await page.content()).not.toContain('secret-4711')
    await page.getByLabel('उम्मीदवार ने मना किया').check()
    await page.getByLabel('जब इससे अधिक समीक्षाएँ खुली हों तब बताएँ').fill('many')
    await pressOn(page, 'सहेजें')
    await page.getByText('सेवा ने इसे स्वीकार नहीं किया').waitFor()
    await page.getByLabel('जब इससे अधिक समीक्षाएँ खुली हों तब बताएँ').fill('5')
    await pressOn(page, 'सहेजें')
    await page.getByText('बदलाव सहेज लिया गया है।').waitFor()
    await pressOn(page, 'कनेक्शन हटाएँ')
    await page.getByRole('dialog').getByRole('button', { name: 'कनेक्शन हटाएँ' }).click()
    await page.getByText(/Only its owner can delete the workflow/).waitFor()
  })

  it('lists the first steps of a new organisation, ticks them by facts, and goes when they are done', async () => {
    const { email } = await addPerson(team.server)
    const { cookie } = await signIn(team.server, email)
    const body = { name: 'Fresh Start', slug: 'fresh-start' }
    const made = await team.server.client().call('portal.orgs.create', { headers: { cookie }, body })
    const page = await openDesk('fresh-start/', { email })
    await onPage(page, 'Today')
    await page.getByText('4 steps are left.').waitFor()
    await page.getByText('You are the only member.').waitFor()
    await page.getByRole('link', { name: 'Set your brand' }).click()
    await titleOn(page, 'Brand')
    await page.getByLabel('Name that is shown').fill('Fresh')
    await pressOn(page, 'Save')
    await page.getByText('The change is saved.').waitFor()
    await addMember(team.server, 'reviewer', made.data.id)
    await page.getByRole('link', { name: 'Today' }).click()
    await page.getByRole('link', { name: 'Say who answers for the data' }).click()
    await titleOn(page, 'Statement')
    await page.getByLabel('Lawful basis').selectOption('consent')
    await page.getByLabel('Where to ask about data, or to complain').fill('privacy@example.org')
    await page.getByLabel('What you offer to whoever does not want to be recorded').fill('A talk in our office.')
    await pressOn(page, 'Save what candidates read')
    await page.getByText('Candidates read this from now on.').waitFor()
    await page.getByRole('link', { name: 'Today' }).click()
    await page.reload()
    await page.getByText('1 step is left.').waitFor()
    await page.getByRole('link', { name: 'Schedule an interview' }).first().click()
    await page.getByLabel('Name of the candidate').fill('Asha R.')
    await page.getByLabel('Day').fill('2099-01-20')
    await page.getByLabel('Time', { exact: true }).fill('14:30')
    await pressOn(page, 'Schedule')
    await titleOn(page, 'Interview')
    await page.getByRole('link', { name: 'Today' }).click()
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    await page.getByText('No interview is live.').waitFor()
  })

  it('offers each role its own, and the rest to nobody', async () => {
    const page = await open('sso', 'reviewer')
    await titleOn(page, 'There is no such page')
    expect(await page.getByRole('link', { name: 'Connections' }).count()).toBe(0)
    expect(pathOf(page)).toBe('/desk/connections/sso')
  })
})
