import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { beyondEdges, buildCompanionClient, newPhoneLink } from '../../../server/test/test-support/companion-pages.ts'
import { agreeOnPhone, pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, cameraArgs, smallTargets } from '../../../server/test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('the permission of the camera on the phone')

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1'
const android = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36'

describe.skipIf(!chromium)('the permission of the camera on the phone', { timeout: 120_000 }, () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    buildCompanionClient()
    server = await startServer()
    browser = await sharedChromium(chromium, cameraArgs)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await server?.stop()
  })
  const visit = useVisits({ browser: () => browser, url: () => server.url, usually: { width: 320, height: 568 } })
  /** A phone that answers every question for the camera with no. */
  const refusing = async (userAgent: string) => {
    const made = await visit({ camera: false })
    await made.page.addInitScript(`Object.defineProperty(navigator, 'userAgent', { get: () => '${userAgent}' })`)
    return made
  }
  const sound = async (page: Page): Promise<void> => {
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await beyondEdges(page)).toBeLessThanOrEqual(0)
    expect(await smallTargets(page)).toEqual([])
  }

  it.each([
    ['an iPhone', iPhone, 'It may also ask for motion and orientation.', 'Website Settings'],
    ['an Android phone', android, 'Allow while visiting the site', 'Permissions'],
  ])('is explained on %s before it is asked for, and after it was refused', async (_phone, agent, asks, undoes) => {
    const phone = await newPhoneLink(server, server.client(server.orgs[0].sandboxKey))
    const { page, context } = await refusing(agent)
    await page.goto(phone.link)
    await agreeOnPhone(page)
    await titleOn(page, 'Place the phone')
    await page.getByRole('heading', { level: 2, name: 'What your phone will ask' }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain(asks)
    await sound(page)
    await pressOn(page, 'Turn the camera on')
    await page.getByRole('heading', { level: 2, name: 'How to allow the camera' }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain(undoes)
    await sound(page)
    await context.grantPermissions(['camera'])
    await pressOn(page, 'Try again')
    await page.getByLabel('What the camera sees now').waitFor()
  })

  it('is explained where scanning was refused, and the code can be typed', async () => {
    const { page, context } = await refusing(android)
    await page.goto(`${server.url}/companion/`)
    await page.getByText('your phone asks you first').waitFor()
    await pressOn(page, 'Scan the code')
    await page.getByText('The camera is not permitted. You can allow it, or type the code instead.').waitFor()
    await page.getByRole('heading', { level: 2, name: 'How to allow the camera' }).waitFor()
    await sound(page)
    await context.grantPermissions(['camera'])
    await pressOn(page, 'Try again')
    await page.getByLabel('What the camera sees now').waitFor()
    await pressOn(page, 'Type the code instead')
    await page.getByLabel('Code', { exact: true }).waitFor()
  })
})
