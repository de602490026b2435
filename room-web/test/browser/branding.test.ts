import type { Client } from '@integrity/client/every-endpoint'
import { palettePairs } from '@integrity/protocol/clients/palette'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../server/src/platform/clock.ts'
import { type TestBrand, testBrands, wear } from '../../../server/test/test-support/brands.ts'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  type ColourPair,
  colourPairsOf,
  namedPairs,
  unreadable,
} from '../../../server/test/test-support/colour-pairs.ts'
import { beyondEdges, buildCompanionClient, newPhoneLink } from '../../../server/test/test-support/companion-pages.ts'
import { freePort } from '../../../server/test/test-support/guide-server.ts'
import { pendingInvite } from '../../../server/test/test-support/invites.ts'
import { invite, requestsLink, soon, type Team } from '../../../server/test/test-support/link-pages.ts'
import { logoOn, pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import {
  accessibilityFaults,
  buildRoomClient,
  cameraArgs,
  newRoom,
  overflowOf,
} from '../../../server/test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('the pages in the brand of an organisation')

/** What a service answers that is older, newer, or not as it should be. */
const brandAnswers = (page: Page, path: string, brand: object) =>
  page.route(path, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data?: { org?: object } }
    if (body.data?.org) Object.assign(body.data.org, { name: 'Harbour & Sons', brand })
    await route.fulfill({ response: answer, json: body })
  })
const rgbOf = (hex: string): string =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`

const ofRooms = '**/v1/rooms/**'
const ofClaims = '**/v1/pairings/*/claim'

describe.skipIf(!chromium)('the pages in the brand of an organisation', { timeout: 120_000 }, () => {
  let browser: Browser
  let server: TestServer
  let api: Client
  let team: Team
  let logo: string
  beforeAll(async () => {
    buildRoomClient()
    buildCompanionClient()
    // Only a logo of the page's own address is shown.
    const port = String(await freePort())
    const env = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` }
    server = await startServer({ env, overrides: { clock: systemClock } })
    team = { server, orgId: server.orgs[0].orgId, api: server.client(server.orgs[0].sandboxKey) }
    api = server.client(server.orgs[0].sandboxKey)
    browser = await sharedChromium(chromium, cameraArgs)
    const picture = sharp({ create: { width: 240, height: 60, channels: 3, background: '#804000' } })
    logo = `data:image/png;base64,${(await picture.png().toBuffer()).toString('base64')}`
  })
  afterAll(async () => {
    await closeContexts(browser)
    await server?.stop()
  })
  const visit = useVisits({ browser: () => browser, url: () => server.url })
  const banner = (page: Page) => page.getByRole('banner')
  /** The pictures in the banner that are seen, and have loaded. */
  const logosOf = (page: Page): Promise<number> =>
    page.evaluate(`[...document.querySelectorAll('header img')].filter(
      (image) => image.complete && image.naturalWidth > 0 && image.getBoundingClientRect().height > 0).length`)

  /** Light and dark, whatever is read on this page. */
  const pairsOn = async (page: Page): Promise<ColourPair[]> => {
    const pairs: ColourPair[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      pairs.push(...(await colourPairsOf(page)))
    }
    return pairs
  }

  /** The pages that candidates and new members see, each on a state with as much on it as there is. */
  const screensOf = async (): Promise<(readonly [link: string, title: string, press?: string])[]> => {
    const invited = await invite(team, {}, { schedule: soon(team) })
    const { id, token } = await pendingInvite(server, { message: 'Hello!' })
    return [
      [invited.link, 'You are invited to an interview', 'Decline the invitation'],
      [(await requestsLink(team, invited)).link, 'Your interview data'],
      [(await newRoom(server, api)).link, 'May this camera take pictures?'],
      [`${server.url}/invite/#${id}.${token}`, 'invites you', 'Accept the invitation'],
      [(await newPhoneLink(server, api)).link, 'May this phone show your desk?', 'I agree'],
    ]
  }

  it.each<TestBrand>(testBrands)(
    'all pages are in a $name palette of four colours, can be read, and use the pairs that are checked when it is set',
    async (brand) => {
      await wear(team, brand)
      const pairs: ColourPair[] = []
      for (const [link, title, press] of await screensOf()) {
        const { page } = await visit({ width: 400, camera: false })
        await page.goto(link)
        await page.getByRole('heading', { level: 1 }).getByText(title).waitFor()
        await banner(page).getByText(brand.displayName).waitFor()
        expect(await logoOn(page)).toBe(192)
        await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
        pairs.push(...(await pairsOn(page)))
        if (press) await pressOn(page, press)
        pairs.push(...(await pairsOn(page)))
        await page.emulateMedia({ colorScheme: 'light' })
        const behind = await page.evaluate(
          'getComputedStyle(document.body).backgroundColor + getComputedStyle(document.documentElement).backgroundColor',
        )
        expect(behind).toContain(rgbOf(brand.palette.background))
      }
      expect(unreadable(pairs)).toEqual([])
      expect(namedPairs(pairs, brand.palette)).toEqual(
        palettePairs.map(([, above, below]) => `${above} on ${below}`).sort(),
      )
    },
  )

  it('the room shows its name, its logo, its colour as far as it can be read, and whom to ask about data', async () => {
    const room = await newRoom(server, api)
    const { page } = await visit({ width: 320 })
    await brandAnswers(page, ofRooms, { primaryColor: '#ffd400', logoUrl: logo, privacyContact: 'privacy@org.example' })
    await page.goto(room.link)
    await titleOn(page, 'May this camera take pictures?')
    await banner(page).getByText('Harbour & Sons').waitFor()
    expect(await logoOn(page)).toBe(240)
    expect(await logosOf(page)).toBe(1)
    await page.getByRole('contentinfo').getByText('Questions about your data').waitFor()
    expect(await page.getByRole('link', { name: 'privacy@org.example' }).getAttribute('href')).toBe(
      'mailto:privacy@org.example',
    )
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })

  it('the room asks nobody else for a logo, hides one that does not load, and looks as usual without a brand', async () => {
    const [foreign, missing, plain] = [
      await newRoom(server, api),
      await newRoom(server, api),
      await newRoom(server, api),
    ]
    const open = async (link: string, brand: object) => {
      const { page } = await visit()
      await brandAnswers(page, ofRooms, brand)
      await page.goto(link)
      await titleOn(page, 'May this camera take pictures?')
      return page
    }
    // That nothing was asked of elsewhere is looked at after every visit.
    const first = await open(foreign.link, { logoUrl: 'https://elsewhere.example/x.png', primaryColor: 'red' })
    expect(await first.locator('header img').count()).toBe(0)
    const second = await open(missing.link, { logoUrl: '/v1/orgs/org_none/branding/logo' })
    await second.locator('header img').waitFor({ state: 'hidden' })
    const third = await open(plain.link, {})
    expect(await third.getByText(/Questions about your data/).count()).toBe(0)
    const colours = await third.evaluate("document.documentElement.getAttribute('style') ?? ''")
    expect(colours).toBe('')
  })

  it('the phone shows its name, its logo, its colour in both schemes, and whom to ask about data', async () => {
    const phone = await newPhoneLink(server, api)
    const { page } = await visit({ width: 320, height: 640 })
    await brandAnswers(page, ofClaims, {
      primaryColor: '#7fffd4',
      logoUrl: logo,
      privacyContact: 'https://org.example/privacy',
    })
    await page.goto(phone.link)
    await titleOn(page, 'May this phone show your desk?')
    await banner(page).getByText('Harbour & Sons').waitFor()
    await banner(page).locator('img').waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Questions about your data: https://org.example/privacy' }).waitFor()
    await page.getByRole('contentinfo').getByText('Session ses_').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await beyondEdges(page)).toBeLessThanOrEqual(0)
    await pressOn(page, 'I agree')
    await titleOn(page, 'Place the phone')
    expect(await accessibilityFaults(page)).toEqual([])
    // The colour is on the button as it was given in the dark, where it can be read.
    await page.emulateMedia({ colorScheme: 'dark' })
    const button = page.getByRole('button', { name: 'Turn the camera on' })
    await expect
      .poll(() =>
        button.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).borderColor),
      )
      .toBe('rgb(127, 255, 212)')
  })
})
