import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approvedRequest, expiredRequest } from '../../../server/test/test-support/access-requests.ts'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { freePort } from '../../../server/test/test-support/guide-server.ts'
import { onPage, startInviting } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addPerson } from '../../../server/test/test-support/portal.ts'
import { type TestServer, testPassword } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('access in a browser')
const password = 'umbrella over nine rivers'

describe.skipIf(!chromium)('access in a browser', { timeout: 120_000 }, () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    // What hands out cookies answers the pages of its own address alone.
    const port = String(await freePort())
    server = (await startInviting(undefined, { PORT: port, BASE_URL: `http://127.0.0.1:${port}` })).server
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await server?.stop()
  })
  const usually = { camera: false, locale: 'en-GB' }
  const visit = useVisits({ browser: () => browser, url: () => server.url, usually })
  const open = async (hash = '', options = {}): Promise<Page> => {
    const { page } = await visit({ ...usually, ...options })
    await page.setViewportSize({ width: 320, height: 720 })
    await page.goto(`${server.url}/access/${hash}`)
    return page
  }
  const linkOf = ({ id, token }: { id: string; token: string }) => `#${id}.${token}`
  const shot = async (page: Page, name: string) => {
    const folder = process.env['ACCESS_SHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  it('asks for an organisation by keyboard alone, after it said which fields are missing', async () => {
    const page = await open()
    await onPage(page, 'Ask for access for your organisation')
    await pressOn(page, 'Send the request')
    await page.getByText('Please enter the name of the organisation.').waitFor()
    await shot(page, 'ask-wrong')
    expect(await page.evaluate('document.activeElement.name')).toBe('organisation')
    await page.keyboard.type('Bright Hiring')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Asha Rao')
    await page.keyboard.press('Tab')
    await page.keyboard.type('asha.web@bright.example')
    await page.keyboard.press('Tab')
    await page.keyboard.type('India')
    for (let n = 0; n < 3; n++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await onPage(page, 'Thank you')
    const row = await server.app.db.reader.get<{ country: string; locale: string }>(
      'SELECT country, locale FROM access_requests WHERE email = ?',
      ['asha.web@bright.example'],
    )
    expect(row).toEqual({ country: 'IN', locale: 'en' })
  })

  it('opens the organisation with a new account', async () => {
    const request = await approvedRequest(server)
    const page = await open(linkOf(request))
    await onPage(page, `Open ${request.organisation}`)
    expect(page.url()).not.toContain('own_')
    await shot(page, 'invite-new')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await pressOn(page, 'Open the organisation')
    await page.getByText('This password cannot be used').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await pressOn(page, 'Open the organisation')
    await onPage(page, `${request.organisation} is open`)
    await page.reload()
    await onPage(page, 'This invitation has been accepted')
  })

  it('asks an address that has an account for its password', async () => {
    const { email } = await addPerson(server)
    const request = await approvedRequest(server, { email })
    const page = await open(linkOf(request))
    await titleOn(page, `Open ${request.organisation}`)
    await page.getByLabel('Password', { exact: true }).fill('not this one at all')
    await pressOn(page, 'Open the organisation')
    await page.getByText('This is not the password of the account.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await pressOn(page, 'Open the organisation')
    await onPage(page, `${request.organisation} is open`)
    // The invitation leads to the desk, which the acceptance has signed in.
    await page.getByRole('link', { name: 'Take the first steps of your organisation' }).click()
    await titleOn(page, 'Today')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.getByText('4 steps are left.').waitFor()
  })

  it('renews one that has expired, in Hindi too', async () => {
    const request = await expiredRequest(server)
    const page = await open(linkOf(request), { locale: 'hi-IN' })
    await onPage(page, 'इस निमंत्रण का समय समाप्त हो गया है')
    await shot(page, 'expired-hi')
    await pressOn(page, 'नया लिंक भेजें')
    await onPage(page, 'धन्यवाद')
  })

  it('says that a link is not right', async () => {
    for (const hash of ['#x', `#acr_1.own_${'0'.repeat(32)}`]) await onPage(await open(hash), 'This link does not work')
  })
})
