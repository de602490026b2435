import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, launchChromium } from '../../../server/test/test-support/browser.ts'
import { cameraFileArgs } from '../../../server/test/test-support/camera-file.ts'
import { beyondEdges, buildCompanionClient, newPhoneLink } from '../../../server/test/test-support/companion-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, type RoomVisit, smallTargets } from '../../../server/test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('scanning a code with the phone')

/** The square codes of the desktop's own window, drawn by what draws them there. */
const { renderSVG } = (await import(
  createRequire(path.resolve(import.meta.dirname, '../../../agent/package.json')).resolve('uqr')
)) as { renderSVG: (text: string, options: object) => string }

/** A screen with the code on it, a little turned and not in the middle, as a hand would hold the phone. */
const drawCode = async (text: string): Promise<Buffer> => {
  const code = await sharp(Buffer.from(renderSVG(text, { border: 4 })))
    .resize(300, 300, { kernel: 'nearest' })
    .rotate(7, { background: '#f4f6f8' })
    .toBuffer()
  return sharp({ create: { width: 1280, height: 720, channels: 3, background: '#5a6672' } })
    .composite([{ input: code, left: 360, top: 190 }])
    .blur(0.8)
    .jpeg({ quality: 85 })
    .toBuffer()
}

describe.skipIf(!chromium)('scanning a code with the phone', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'scan-'))
  let server: TestServer
  const browsers: Browser[] = []
  beforeAll(async () => {
    buildCompanionClient()
    server = await startServer()
  })
  afterEach(async () => {
    for (const browser of browsers.splice(0)) await browser.close()
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  let visiting: Browser
  const visitor = useVisits({
    browser: () => visiting,
    url: () => server.url,
    usually: { width: 320, height: 568 },
  })
  /** A phone in front of a screen that shows the code of a new session. */
  const inFrontOfACode = async (detector: string): Promise<RoomVisit> => {
    const { link } = await newPhoneLink(server, server.client(server.orgs[0].sandboxKey))
    const camera = cameraFileArgs(path.join(folder, `camera-${browsers.length}.mjpeg`), await drawCode(link))
    const browser = await launchChromium(chromium, camera)
    browsers.push(browser)
    visiting = browser
    const visit = await visitor()
    await visit.page.addInitScript(`window.BarcodeDetector = ${detector}`)
    await visit.page.goto(`${server.url}/companion/`)
    await titleOn(visit.page, 'Connect this phone')
    return visit
  }
  const scripts = ({ seen }: RoomVisit) => seen.requests.filter((url) => url.endsWith('.js'))

  it('reads it where the browser has no detector, with a decoder that is loaded only then', async () => {
    const visit = await inFrontOfACode('undefined')
    const before = scripts(visit)
    await pressOn(visit.page, 'Scan the code')
    await titleOn(visit.page, 'May this phone show your desk?')
    const more = scripts(visit).slice(before.length)
    expect(more).toHaveLength(1)
    expect(more[0]).toMatch(`${server.url}/companion/_expo/`)
    const [decoder] = await Promise.all(more.map((url) => fetch(url, { headers: { 'accept-encoding': 'gzip' } })))
    expect(Number(decoder?.headers.get('content-length'))).toBeLessThan(30_000)
    expect(visit.seen.errors).toEqual([])
  })

  it('reads it where the detector of the browser fails each time, or knows no square codes', async () => {
    const failing = "class { detect() { return Promise.reject(new Error('service unavailable')) } }"
    const ignorant = "class { constructor() { throw new TypeError('no such format') } }"
    for (const detector of [failing, ignorant]) {
      const { page } = await inFrontOfACode(detector)
      await pressOn(page, 'Scan the code')
      await titleOn(page, 'May this phone show your desk?')
    }
  })

  it('says so when the decoder cannot be loaded, and lets the code be typed', async () => {
    const { page, context } = await inFrontOfACode('undefined')
    await context.setOffline(true)
    await pressOn(page, 'Scan the code')
    await page.getByText('Scanning does not work here at the moment.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await beyondEdges(page)).toBeLessThanOrEqual(0)
    expect(await smallTargets(page)).toEqual([])
    await context.setOffline(false)
    await pressOn(page, 'Try again')
    await titleOn(page, 'May this phone show your desk?')
  })
})
