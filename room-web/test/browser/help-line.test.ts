import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { pendingInvite } from '../../../server/test/test-support/invites.ts'
import { startInviting } from '../../../server/test/test-support/link-pages.ts'
import type { TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('the help line in a browser')

const inviter = 'Questions? Please ask whoever invited you.'
const manager = 'Questions? Please ask the person who manages this service in your organisation.'
const request = 'Questions? Write them into your request: a person reads each one.'

describe.skipIf(!chromium)('the help line in a browser', { timeout: 120_000 }, () => {
  let server: TestServer
  let orgId: string
  let browser: Browser
  beforeAll(async () => {
    ;({ server, orgId } = await startInviting())
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await server?.stop()
  })
  const visit = useVisits({
    browser: () => browser,
    url: () => server.url,
    usually: { camera: false, locale: 'en-GB' },
  })
  const foot = async (path: string): Promise<string> => {
    const { page } = await visit()
    await page.goto(`${server.url}/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const line = page.getByRole('contentinfo')
    await line.waitFor()
    return line.innerText()
  }

  it.each([
    ['account/', manager],
    ['password/', manager],
    ['password/#no.link', manager],
    ['access/#no.link', inviter],
    ['invite/', inviter],
    ['invitation/', inviter],
    ['requests/', inviter],
    ['room/', inviter],
  ])('%s says at its foot whom to ask', async (path, line) => {
    expect(await foot(path)).toContain(line)
  })

  it('where access is asked for, the foot says so as soon as it is known that requests are taken', async () => {
    const { page } = await visit()
    await page.goto(`${server.url}/access/`)
    await page.getByRole('contentinfo').getByText(request).waitFor()
  })

  it('an invitation to become a member names whoever invites at its foot', async () => {
    const { id, token } = await pendingInvite(server, {}, orgId)
    expect(await foot(`invite/#${id}.${token}`)).toContain(inviter)
  })
})
