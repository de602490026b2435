import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { addTotp } from '../../../server/test/test-support/factors.ts'
import { onPage, startInviting } from '../../../server/test/test-support/link-pages.ts'
import { pressOn } from '../../../server/test/test-support/pages.ts'
import { goodPassword, mailedTokens } from '../../../server/test/test-support/password-links.ts'
import { addMember, addPerson } from '../../../server/test/test-support/portal.ts'
import type { TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('the password in a browser')

describe.skipIf(!chromium)('the password in a browser', { timeout: 120_000 }, () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    server = (await startInviting()).server
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
    await page.goto(`${server.url}/password/${hash}`)
    return page
  }
  const shot = async (page: Page, name: string) => {
    const folder = process.env['PASSWORD_SHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  it('is asked for and set by keyboard alone, and the link works once', async () => {
    const { email } = await addPerson(server)
    const page = await open()
    await onPage(page, 'Get a new password')
    await pressOn(page, 'Send the link')
    await page.getByText('Please enter an e-mail address.').waitFor()
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await onPage(page, 'Check your e-mail')
    await shot(page, 'asked')
    const [token = ''] = await mailedTokens(server, email)
    const link = await open(`#pwl_1.${token}`)
    await onPage(link, 'Set your password')
    await link.getByLabel('New password', { exact: true }).fill('teal kites')
    await pressOn(link, 'Set the password')
    await link.getByText('This password cannot be used.').waitFor()
    await link.getByLabel('New password', { exact: true }).fill('passwordpassword')
    await pressOn(link, 'Set the password')
    await link.getByText('This password cannot be used.').waitFor()
    await shot(link, 'set-wrong')
    await link.getByLabel('New password', { exact: true }).fill(goodPassword)
    await link.keyboard.press('Enter')
    await onPage(link, 'Your password is set')
    await link.reload()
    await onPage(link, 'Set your password')
    await link.getByLabel('New password', { exact: true }).fill(goodPassword)
    await pressOn(link, 'Set the password')
    await onPage(link, 'This link was used already')
    await pressOn(link, 'Have another link sent')
    await onPage(link, 'Get a new password')
  })

  it('may be shorter for an account with a second step', async () => {
    const { email } = await addTotp(server, await addMember(server, 'reviewer'))
    await server.client().call('auth.password.forgot', { body: { email } })
    const [token = ''] = await mailedTokens(server, email)
    const link = await open(`#pwl_1.${token}`)
    await link.getByText('or 8 if your account has a second step').waitFor()
    await link.getByLabel('New password', { exact: true }).fill('teal kites')
    await pressOn(link, 'Set the password')
    await onPage(link, 'Your password is set')
  })

  it('speaks Hindi, and says that a link is not right', async () => {
    const page = await open('', { locale: 'hi-IN' })
    await onPage(page, 'नया पासवर्ड तय करें')
    await onPage(await open('#x'), 'This link does not work')
    const wrong = await open(`#pwl_1.pwr_${'0'.repeat(32)}`)
    await wrong.getByLabel('New password', { exact: true }).fill(goodPassword)
    await pressOn(wrong, 'Set the password')
    await onPage(wrong, 'This link does not work')
  })
})
