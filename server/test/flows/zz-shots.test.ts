import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { systemClock } from '../../src/platform/clock.ts'
import { findChromium, launchChromium } from '../support/browser.ts'
import { buildRoomClient, cameraArgs, newRoom, visitRoom, accessibilityFaults, overflowOf } from '../support/room-pages.ts'
import { startServer, type TestServer } from '../support/server.ts'
const out = '/tmp/h/shots'
mkdirSync(out, { recursive: true })
let server: TestServer
let browser: Browser
beforeAll(async () => {
  buildRoomClient()
  server = await startServer({ overrides: { clock: systemClock } })
  browser = await launchChromium(findChromium('shots'), cameraArgs)
})
afterAll(async () => { await browser?.close(); await server?.stop() })
for (const [name, width, locale] of [['wide', 1100, 'en'], ['small', 320, 'en'], ['hindi', 800, 'hi']] as const)
it(`shots ${name}`, async () => {
  const api = server.client(server.orgs[0].sandboxKey)
  const v = await visitRoom(browser, { width, locale })
  let n = 0
  const shot = async (what: string) => {
    n += 1
    await v.page.screenshot({ path: `${out}/${name}-${n}-${what}.png`, fullPage: true })
    console.log(name, what, await overflowOf(v.page), await accessibilityFaults(v.page))
  }
  const room = await newRoom(server, api, 2)
  await v.page.goto(room.link)
  await v.page.locator('.actions button').first().waitFor()
  console.log(v.page.url())
  await shot('consent')
  await v.page.locator('.actions button').first().click()
  await v.page.getByText(/Turn the camera on|कैमरा चालू करें/).waitFor()
  await shot('camera')
  await v.page.locator('button.main').click()
  await v.page.locator('video').waitFor()
  await v.page.waitForTimeout(500)
  await shot('preview')
  await v.page.locator('button.main').click()
  await v.page.locator('img.picture').waitFor()
  await shot('live')
  await v.context.setOffline(true)
  await v.page.locator('.notice').waitFor()
  await shot('offline')
  await v.page.locator('button.stop').first().click()
  await shot('dialog')
  await v.page.locator('dialog button.stop').click()
  await v.page.waitForTimeout(700)
  await shot('releasing')
  await v.context.setOffline(false)
  await v.page.getByText(/Done|पूरा हुआ/).waitFor()
  await v.page.waitForTimeout(200)
  await shot('done')
  await v.page.goto(room.link)
  await v.page.waitForTimeout(600)
  await shot('released')
  console.log(v.seen.errors, new Set(v.seen.requests.map((r) => new URL(r).origin)))
  await v.context.close()
  const d = await visitRoom(browser, { width, locale, camera: false })
  const r2 = await newRoom(server, api, 2)
  await d.page.goto(r2.link)
  await d.page.locator('.actions button').first().click()
  await d.page.getByText(/Turn the camera on|कैमरा चालू करें/).click()
  await d.page.waitForTimeout(600)
  await d.page.screenshot({ path: `${out}/${name}-denied.png`, fullPage: true })
  await d.context.close()
  console.log(server.logLines)
})
