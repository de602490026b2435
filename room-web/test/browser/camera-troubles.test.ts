import type { Client } from '@integrity/client/every-endpoint'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../server/src/platform/clock.ts'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { beyondEdges, buildCompanionClient, newPhoneLink } from '../../../server/test/test-support/companion-pages.ts'
import {
  agreeOnPhone,
  phoneToLive,
  pressOn,
  roomToLive,
  titleOn,
  toPhoto,
} from '../../../server/test/test-support/pages.ts'
import {
  accessibilityFaults,
  buildRoomClient,
  cameraArgs,
  newRoom,
  overflowOf,
} from '../../../server/test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('cameras that are not there')
let server: TestServer
let api: Client
beforeAll(async () => {
  buildRoomClient()
  buildCompanionClient()
  server = await startServer({ overrides: { clock: systemClock } })
  api = server.client(server.orgs[0].sandboxKey)
})
afterAll(() => server?.stop())

describe.skipIf(!chromium)('a computer or a phone without a camera', { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await sharedChromium(chromium)
  })
  afterAll(() => closeContexts(browser))
  const visit = useVisits({ browser: () => browser, url: () => server.url })

  it('is told so on the phone, and nothing was sent', async () => {
    const phone = await newPhoneLink(server, api)
    const { page } = await visit({ width: 390, height: 844 })
    await page.goto(phone.link)
    await agreeOnPhone(page)
    await pressOn(page, 'Turn the camera on')
    await page.getByText('The camera is not there.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect((await api.call('sessions.evidence.list', { params: { id: phone.id } })).data.total).toBe(0)
  })

  it('is told so in the room, and can leave', async () => {
    const room = await newRoom(server, api)
    const { page } = await visit()
    await page.goto(room.link)
    await pressOn(page, 'I agree')
    await pressOn(page, 'Turn the camera on')
    await titleOn(page, 'No camera was found')
    expect(await accessibilityFaults(page)).toEqual([])
    await pressOn(page, 'Leave the room')
    await pressOn(page, 'Stop and leave')
    await titleOn(page, 'Done')
  })
})

describe.skipIf(!chromium)('a camera that is there', { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await sharedChromium(chromium, cameraArgs)
  })
  afterAll(() => closeContexts(browser))
  const visit = useVisits({ browser: () => browser, url: () => server.url })
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 100 })

  it('and is taken away while the phone films: it says so at once, also to the service, and goes on by itself', async () => {
    const phone = await newPhoneLink(server, api, true)
    const { page, context } = await visit({ width: 390, height: 844 })
    await page.goto(phone.link)
    await phoneToLive(page)
    await page.getByText('Recording', { exact: true }).waitFor()
    await context.clearPermissions()
    await page.getByText('Interrupted', { exact: true }).waitFor()
    await page.getByText(/The camera is not (?:there|permitted)\./).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const interruptedSince = async () =>
      (await server.client(phone.agent).call('companion.get', { params: { id: phone.id } })).data.interruptedSince
    await until(async () => expect(await interruptedSince()).not.toBeNull())
    await context.grantPermissions(['camera'])
    await page.getByText('The side view has been back since').waitFor()
    await until(async () => expect(await interruptedSince()).toBeNull())
  })

  it('and is taken away before the photo: nothing is sent, and it can be turned on again', async () => {
    const phone = await newPhoneLink(server, api)
    const { page, context } = await visit({ width: 390, height: 844 })
    await page.goto(phone.link)
    await agreeOnPhone(page)
    await toPhoto(page)
    await context.clearPermissions()
    await page.getByText('The camera is not there.').waitFor()
    expect(await page.getByAltText('The photo that you took').count()).toBe(0)
    await context.grantPermissions(['camera'])
    await pressOn(page, 'Try again')
    await page.getByLabel('What the camera sees now').waitFor()
  })

  it('and is taken away in the room: no picture is made up, and the page asks for another', async () => {
    const room = await newRoom(server, api)
    const { page, context } = await visit()
    await page.goto(room.link)
    await roomToLive(page)
    await context.clearPermissions()
    await titleOn(page, 'The camera has gone')
    expect(await accessibilityFaults(page)).toEqual([])
    await context.grantPermissions(['camera'])
    await pressOn(page, 'Try again')
    await pressOn(page, 'Start taking pictures')
    await titleOn(page, 'The camera is on')
  })

  it('and the pages around it at 200 % zoom have everything in sight, in either language', async () => {
    const [phone, room] = [await newPhoneLink(server, api, true), await newRoom(server, api)]
    // What is left of 390 and of 640 pixels.
    const small = await visit({ width: 195, height: 422 })
    const large = await visit({ width: 320, height: 400 })
    const bothLanguages = async (page: Page, beyond: (page: Page) => Promise<number>) => {
      for (const language of ['हिन्दी', 'English']) {
        await pressOn(page, language)
        expect(await beyond(page), `${await page.title()} ${await widestOn(page)}`).toBeLessThanOrEqual(0)
        expect(await clippedOn(page)).toEqual([])
      }
    }
    await small.page.goto(phone.link)
    await titleOn(small.page, 'May this phone show your desk?')
    await bothLanguages(small.page, beyondEdges)
    await agreeOnPhone(small.page)
    await toPhoto(small.page)
    await bothLanguages(small.page, beyondEdges)
    await pressOn(small.page, 'Send this photo and begin')
    await small.page.getByText('Recording', { exact: true }).waitFor()
    await bothLanguages(small.page, beyondEdges)
    await large.page.goto(room.link)
    await titleOn(large.page, 'May this camera take pictures?')
    await large.page.evaluate("document.documentElement.style.setProperty('font-size', '32px')")
    await bothLanguages(large.page, overflowOf)
    await roomToLive(large.page)
    await bothLanguages(large.page, overflowOf)
    await pressOn(large.page, 'Stop')
    expect(await clippedOn(large.page)).toEqual([])
  })
})

/** What reaches furthest to the right, to be named when it is too far. */
const widestOn = (page: Page): Promise<string> =>
  page.evaluate(`[...document.querySelectorAll('body *')].sort((a, b) =>
    b.getBoundingClientRect().right - a.getBoundingClientRect().right).slice(0, 3).map((e) => e.textContent.slice(0, 60)).join(' | ')`)

/** Texts of which a part is cut off by their own box; not those that are read out and never seen. */
const clippedOn = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')].filter((element) => {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    const { overflowX, overflowY } = getComputedStyle(element)
    return text && !element.closest('.unseen') && ((overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
      (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1))
  }).map(({ textContent }) => textContent)`)
