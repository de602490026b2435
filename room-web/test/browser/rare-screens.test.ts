import type { Client } from '@integrity/client/every-endpoint'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../server/src/platform/clock.ts'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { beyondEdges, buildCompanionClient, newPhoneLink } from '../../../server/test/test-support/companion-pages.ts'
import { phoneToLive, pressOn, roomToLive, stopPhone, titleOn } from '../../../server/test/test-support/pages.ts'
import {
  accessibilityFaults,
  buildRoomClient,
  cameraArgs,
  newRoom,
  overflowOf,
} from '../../../server/test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('screens that are seldom seen')

describe.skipIf(!chromium)('screens that are seldom seen', { timeout: 120_000 }, () => {
  let server: TestServer
  let api: Client
  let browser: Browser
  beforeAll(async () => {
    buildRoomClient()
    buildCompanionClient()
    server = await startServer({ overrides: { clock: systemClock } })
    api = server.client(server.orgs[0].sandboxKey)
    browser = await sharedChromium(chromium, cameraArgs)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await server?.stop()
  })
  const visit = useVisits({ browser: () => browser, url: () => server.url, usually: { width: 320, height: 640 } })

  /** With this title: nothing axe objects to, light or dark, and nothing beyond the edges of a small screen. */
  const onScreen = async (page: Page, text: string): Promise<void> => {
    await titleOn(page, text)
    expect(await accessibilityFaults(page), text).toEqual([])
    expect(Math.max(await overflowOf(page), await beyondEdges(page)), text).toBeLessThanOrEqual(0)
  }
  const without = {
    camera: "Object.defineProperty(navigator, 'mediaDevices', {})",
    storage: "Object.defineProperty(window, 'indexedDB', { value: undefined })",
  } as const

  it.each([
    ['camera', 'This browser cannot use a camera here', 'This browser cannot use a camera here'],
    ['storage', 'This browser cannot store recordings', 'This browser cannot store pictures'],
  ] as const)('a browser without %s is told so, on the phone and in the room', async (what, phone, room) => {
    const { page } = await visit()
    await page.addInitScript(without[what])
    await page.goto(`${server.url}/companion/`)
    await onScreen(page, phone)
    await page.goto((await newRoom(server, api)).link)
    await onScreen(page, room)
  })

  it('a screen that cannot be drawn says so, and can be tried again, on the phone and in the room', async () => {
    const { page } = await visit()
    // Both consents name a number of days.
    await page.addInitScript(`const real = Number.prototype.toLocaleString
      Number.prototype.toLocaleString = function (...given) {
        if (!localStorage.getItem('mended')) throw new Error('not to be drawn')
        return real.apply(this, given)
      }`)
    const mend = (mended: boolean) => page.evaluate(`localStorage.${mended ? "setItem('mended', 1)" : 'clear()'}`)
    await page.goto((await newPhoneLink(server, api)).link)
    await onScreen(page, 'Something went wrong here')
    await mend(true)
    await pressOn(page, 'Try again')
    await onScreen(page, 'May this phone show your desk?')
    await mend(false)
    await page.goto((await newRoom(server, api)).link)
    await onScreen(page, 'Something went wrong on this page')
    await mend(true)
    await pressOn(page, 'Reload')
    await onScreen(page, 'May this camera take pictures?')
  })

  it('a phone that leaves without a network says what waits, and can leave without it', async () => {
    const phone = await newPhoneLink(server, api)
    const { page, context } = await visit()
    await page.goto(phone.link)
    await phoneToLive(page)
    await context.setOffline(true)
    await stopPhone(page)
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    await onScreen(page, 'The camera is off')
    await pressOn(page, 'Leave without sending the rest')
    await onScreen(page, 'Done')
  })

  it('a phone whose side view is no longer asked for puts the camera off, and on when it is again', async () => {
    const phone = await newPhoneLink(server, api)
    const { page } = await visit()
    await page.goto(phone.link)
    await phoneToLive(page)
    const ask = (enabled: boolean) =>
      api.call('sessions.patch', { params: { id: phone.id }, body: { sideView: { enabled } } })
    await ask(false)
    await page.getByText('Paused: the organisation does not ask for the side view').waitFor({ timeout: 30_000 })
    await onScreen(page, 'The side view')
    expect(await page.locator('video').count()).toBe(0)
    await ask(true)
    await page.locator('video').waitFor({ timeout: 30_000 })
  })

  it('a room that nobody answers says so, and goes on when somebody does', async () => {
    const room = await newRoom(server, api)
    const { page } = await visit()
    await page.route('**/v1/**', (route) => route.abort())
    await page.goto(room.link)
    await onScreen(page, 'The service cannot be reached')
    const asked = page.waitForRequest('**/v1/**')
    await pressOn(page, 'Try now')
    await asked
    await page.unroute('**/v1/**')
    // It tries again by itself, too: the button may be gone before anybody has pressed it.
    await titleOn(page, 'May this camera take pictures?')
  })

  it('a room that is left without a network says what waits; one that is not asked for has its camera off', async () => {
    const room = await newRoom(server, api)
    const { page, context } = await visit()
    await page.goto(room.link)
    await roomToLive(page)
    const still = (enabled: boolean) =>
      api.call('sessions.patch', { params: { id: room.id }, body: { camera: { stills: enabled } } })
    await still(false)
    await onScreen(page, 'No pictures are asked for at the moment')
    expect(await page.locator('video').count()).toBe(0)
    await still(true)
    await titleOn(page, 'The camera is on')
    await context.setOffline(true)
    // It shows with the first pack that does not arrive: they leave every 20 s.
    await page.getByText('The service cannot be reached at the moment.').waitFor({ timeout: 60_000 })
    await pressOn(page, 'Stop')
    await pressOn(page, 'Stop and leave')
    await page.getByText('This page tries again by itself.').waitFor()
    await onScreen(page, 'The camera is off')
    await pressOn(page, 'Leave without sending the rest')
    await context.setOffline(false)
    await onScreen(page, 'Done')
  })
})
