import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { beginTotp, codeAt } from '../../../server/test/test-support/factors.ts'
import { interviewed, onPage } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember, addPerson, join } from '../../../server/test/test-support/portal.ts'
import { seatOf } from '../../../server/test/test-support/sign-ins.ts'
import { configureSaml } from '../../../server/test/test-support/sso.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'
import { pathOf, signInOn, storedIn, tabTo } from './desk-web.test-support.ts'

const label = 'A. Candidate'
const assets = path.resolve(import.meta.dirname, '../../dist/assets')

describeDesk('the desk in a browser', { own: true, ...narrow }, ({ team, url, visit, open: openDesk }) => {
  let sessionId = ''
  beforeAll(async () => {
    sessionId = (await interviewed(team)).sessionId
    await team.server.processAll()
  })
  const open = async (path: string, options = {}): Promise<Page> => {
    const { page } = await visit(options)
    await page.goto(`${url()}${path}`)
    return page
  }
  const orgAt = (index: 0 | 1) => team.server.orgs[index]
  const slugOf = async (index: 0 | 1): Promise<string> => {
    const rows = await team.server.app.db.reader.all<{ slug: string }>('SELECT slug FROM orgs WHERE org_id = ?', [
      orgAt(index).orgId,
    ])
    return rows[0]?.slug ?? ''
  }

  it('is a page whose scripts are its own: a first one of at most 150 kB as it travels, and rooms of 45 kB', async () => {
    const asked = { headers: { 'accept-encoding': 'gzip' } }
    const response = await fetch(`${url()}/desk/harbour/interviews`, asked)
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip'])
    expect(response.headers.get('content-security-policy')).toMatch(
      /script-src 'self' 'sha256-[^ ]+'; style-src 'sha256-[^ ]+';/,
    )
    const html = await response.text()
    const text = html.replaceAll(/<(script|style)[ >].*?<\/\1>/gs, '')
    expect(text).toContain('<noscript>')
    expect(text).not.toMatch(/(?:src|href)="(?!data:,")/)
    const [, first] = /import\(.*"assets\/([^"]+)"\)/.exec(html) ?? []
    for (const name of readdirSync(assets)) {
      const script = await fetch(`${url()}/desk/assets/${name}`, asked)
      const bytes = Number(script.headers.get('content-length'))
      expect(bytes, name).toBeGreaterThan(0)
      expect(bytes, name).toBeLessThan(name === first ? 150_000 : 45_000)
    }
    const leads = await fetch(`${url()}/desk`, { redirect: 'manual' })
    expect([leads.status, leads.headers.get('location')]).toEqual([302, 'desk/'])
  })

  it('says who is signed in, shows what there is to do, and forgets it with the sign-out', async () => {
    const { email } = await addMember(team.server, 'reviewer')
    const page = await open('/desk/')
    await signInOn(page, email)
    await onPage(page, 'Today')
    await page.getByText(`You are signed in as ${email}.`).waitFor()
    await page.getByText('Your role: reviewer').waitFor()
    await page.getByRole('link', { name: label }).waitFor()
    await tabTo(page, 'Sign out')
    await titleOn(page, 'Sign in to your account')
    expect(await page.content()).not.toContain(label)
    await page.reload()
    await titleOn(page, 'Sign in to your account')
  })

  it('comes back to where a letter led, second step included, and puts nothing of a candidate anywhere', async () => {
    const { email, userId } = await addMember(team.server, 'owner')
    const headers = await seatOf(team.server, userId)
    const { secret } = await beginTotp(team.server, headers)
    const body = { code: codeAt(secret, Date.now()) }
    const { recoveryCodes } = (await team.server.client().call('auth.factors.totp.confirm', { headers, body })).data
    const page = await open(`/desk/interviews/${sessionId}`)
    await signInOn(page, email)
    await onPage(page, 'The second step')
    await page.getByLabel('Recovery code').fill(recoveryCodes?.[0] ?? '')
    await page.keyboard.press('Enter')
    await onPage(page, 'Interview')
    await page.getByText(label).waitFor()
    expect(pathOf(page)).toBe(`/desk/interviews/${sessionId}`)
    expect(await page.title()).not.toContain(label)
    expect(await storedIn(page)).not.toContain(label)
  })

  it('leads to the sign-in of an organisation that has one, and back here after it', async () => {
    const scope = { orgId: orgAt(0).orgId, environment: 'live' } as const
    const slug = await configureSaml({ server: team.server, scope })
    const page = await open(`/desk/review/${sessionId}`)
    await page.getByLabel('Your e-mail address').fill('seen@sso.example')
    await pressOn(page, 'Sign in through my organisation')
    const link = page.getByText('Sign in at your organisation')
    await link.waitFor()
    expect(await link.getAttribute('href')).toMatch(
      new RegExp(`/v1/auth/sso/${slug}/login\\?returnTo=%2Fdesk%2Freview%2F${sessionId}$`),
    )
  })

  it('has the desk of each organisation, and finds the one that an interview belongs to', async () => {
    const person = await addPerson(team.server)
    await join(team.server, person.userId, orgAt(1).orgId, 'owner')
    await join(team.server, person.userId, orgAt(0).orgId, 'reviewer')
    const page = await openDesk(`review/${sessionId}`, person)
    await titleOn(page, 'Review')
    const [own, other] = [await slugOf(0), await slugOf(1)]
    await page.waitForURL(`**/desk/${own}/review/${sessionId}`)
    expect(await page.getByLabel('Organisation').inputValue()).toBe(own)
    await page.getByLabel('Organisation').selectOption(other)
    await onPage(page, 'Today')
    expect(pathOf(page)).toBe(`/desk/${other}/`)
    await page.getByText('No review is waiting.').waitFor()
    await page.goBack()
    await titleOn(page, 'Review')
  })

  it('lists interviews, narrowed by what is in the address, and opens one by keyboard', async () => {
    const page = await openDesk('interviews?state=live', 'interviewer')
    await titleOn(page, 'Interviews')
    await page.getByText('No interview fits this choice.').waitFor()
    await page.getByLabel('State').selectOption('ended')
    await page.getByRole('link', { name: label }).waitFor()
    await onPage(page, 'Interviews')
    expect(pathOf(page)).toContain('state=ended')
    await tabTo(page, label)
    await onPage(page, 'Interview')
    await page.getByText('ended', { exact: true }).waitFor()
    await page.goBack()
    await titleOn(page, 'Interviews')
    expect(await page.getByLabel('State').inputValue()).toBe('ended')
  })

  it('pages through a long list by its cursor', async () => {
    const { email } = await addMember(team.server, 'owner', orgAt(1).orgId)
    const api = team.server.client(orgAt(1).liveKey)
    for (let n = 0; n < 53; n += 1) await api.call('sessions.create', { body: { candidateLabel: `Candidate ${n}` } })
    const page = await openDesk('interviews', { email })
    await page.getByText('50 of 53 shown').waitFor()
    await page.getByRole('link', { name: 'Candidate 52', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByText('3 of 53 shown').waitFor()
    await page.getByRole('link', { name: 'Candidate 0', exact: true }).waitFor()
    await page.reload()
    await page.getByText('3 of 53 shown').waitFor()
    await page.goBack()
    await page.getByText('50 of 53 shown').waitFor()
  })

  it('speaks Hindi, and says where an address leads nowhere', async () => {
    const { email } = await addMember(team.server, 'owner')
    const page = await open('/desk/nobody/knows/this', { locale: 'hi-IN' })
    await page.getByLabel('आपका ई-मेल पता').fill(email)
    await page.getByRole('button', { name: 'English' }).click()
    await signInOn(page, '')
    await onPage(page, 'There is no such page')
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await page.getByRole('link', { name: 'आज पर जाएँ' }).click()
    await onPage(page, 'आज')
  })
})
