import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Client } from '@integrity/client/every-endpoint'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { bootstrapOrg } from '../../src/domains/organisation/orgs/bootstrap.service.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { findChromium, launchChromium } from '../test-support/browser.ts'
import { cameraFileArgs, drawScene, type Scene } from '../test-support/camera-file.ts'
import { freePort } from '../test-support/guide-server.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import type { Album } from './album.ts'
import { withFixedTexts } from './fixed-text.ts'

/** Chromium calls a camera that is a file by the path of the file. */
const cameraName = `for (const { prototype } of [MediaStreamTrack, MediaDeviceInfo])
  Object.defineProperty(prototype, 'label', { get: () => 'HD camera' })`

export interface Sitting {
  readonly page: Page
  readonly context: BrowserContext
}

/** A server with an organisation, and a browser with a camera. */
export interface Studio {
  readonly server: TestServer
  readonly orgId: string
  readonly api: Client
  /** A browser of one person. Without `camera`, every prompt for it is answered with no. */
  readonly sit: (options?: { camera?: boolean }) => Promise<Sitting>
}

interface StudioOptions {
  readonly scene: Scene
  readonly width: number
  readonly height: number
  /** Cookies and logos are of the address that a server believes to have. */
  readonly atItsAddress?: boolean
}

const envAt = (port: number) => ({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` })

/** Throws where there is no Chromium. */
export const withStudio = async (
  { scene, width, height, atItsAddress = false }: StudioOptions,
  work: (studio: Studio) => Promise<void>,
): Promise<void> => {
  const chromium = findChromium('pictures of screens')
  if (!chromium) throw new Error('pictures of screens need Chromium')
  const folder = mkdtempSync(path.join(tmpdir(), 'screens-'))
  const env = atItsAddress ? envAt(await freePort()) : {}
  const server = await startServer({ env, overrides: { clock: systemClock } })
  let browser: Browser | undefined
  try {
    const args = cameraFileArgs(path.join(folder, 'camera.mjpeg'), await drawScene(scene))
    browser = await launchChromium(chromium, args)
    const open = browser
    const owner = { org: 'Harbour & Sons', email: 'owner@harbour.example', password: 'correct horse battery' }
    const { orgId, sandboxKey } = await bootstrapOrg(server.app, owner)
    await work({
      server,
      orgId,
      api: server.client(sandboxKey),
      sit: async ({ camera = true } = {}) => {
        const context = await open.newContext({
          viewport: { width, height },
          locale: 'en-GB',
          timezoneId: 'Asia/Kolkata',
          reducedMotion: 'reduce',
        })
        await context.grantPermissions(camera ? ['camera'] : ['notifications'])
        await context.addInitScript(cameraName)
        const page = await context.newPage()
        page.setDefaultTimeout(20_000)
        return { page, context }
      },
    })
  } finally {
    await browser?.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Height that shows everything of a page whose content scrolls in itself, above what stays in view. */
const wholeHeight = (page: Page): Promise<number> =>
  page.evaluate(`Math.max(
    ...[...document.querySelectorAll('html, #root > *, main')].map((e) => e.scrollHeight),
    innerHeight + Math.max(0, ...[...document.querySelectorAll('#root > * > *')]
      .filter((e) => /auto|scroll/.test(getComputedStyle(e).overflowY)).map((e) => e.scrollHeight - e.clientHeight)),
  )`)

/** A film that has just begun, or a size that has just changed, is on the screen a frame or two later. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(`Promise.race([
    new Promise((late) => setTimeout(late, 2000)),
    Promise.all([...document.querySelectorAll('video')].map(async (video) => {
      for (let n = 0; n < 3; n++) await new Promise((seen) => video.requestVideoFrameCallback(seen))
    })).then(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))),
  ])`)

/** Everything of the page; taken again when it grew meanwhile. */
const wholePicture = (page: Page, size: { width: number; height: number }): Promise<Buffer> =>
  withFixedTexts(page, () => grownPicture(page, size))

const grownPicture = async (page: Page, size: { width: number; height: number }): Promise<Buffer> => {
  for (let tries = 0; ; tries++) {
    const height = Math.max(size.height, await wholeHeight(page))
    await page.setViewportSize({ ...size, height })
    await settled(page)
    const picture = await page.screenshot()
    if (tries === 5 || (await wholeHeight(page)) <= height) return picture
  }
}

/** The page from top to bottom, in a light window, in English. */
export const snapOnce = async (album: Album, page: Page, name: string): Promise<void> => {
  const size = page.viewportSize() ?? { width: 800, height: 600 }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await album.keep(`${name}-en-light`, await wholePicture(page, size))
  await page.setViewportSize(size)
}

/** The same, as wide as the least phone there is. */
export const snapNarrow = async (album: Album, page: Page, name: string): Promise<void> => {
  const size = page.viewportSize() ?? { width: 800, height: 600 }
  await album.keep(`${name}-en-320`, await wholePicture(page, { width: 320, height: 568 }))
  await page.setViewportSize(size)
}

/** The same in the other language. */
export const snapHindi = async (album: Album, page: Page, name: string): Promise<void> => {
  const size = page.viewportSize() ?? { width: 800, height: 600 }
  await page.getByRole('button', { name: 'हिन्दी' }).click()
  await album.keep(`${name}-hi-light`, await wholePicture(page, size))
  await page.setViewportSize(size)
  await page.getByRole('button', { name: 'English' }).click()
}

/** As `snap` with the other language, and as wide as the least phone there is. */
export const snapAll = async (album: Album, page: Page, name: string): Promise<void> => {
  await snap(album, page, name, true)
  await snapNarrow(album, page, name)
}

/** The page from top to bottom, light and dark, and where asked for in the other language too. */
export const snap = async (album: Album, page: Page, name: string, hindi = false): Promise<void> => {
  const size = page.viewportSize() ?? { width: 800, height: 600 }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await album.keep(`${name}-en-${colorScheme}`, await wholePicture(page, size))
    await page.setViewportSize(size)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  if (hindi) await snapHindi(album, page, name)
}

/** The least phone there is: what is on its screen without scrolling, light, in English. */
export const snapSmall = async (album: Album, page: Page, name: string): Promise<void> => {
  const size = page.viewportSize() ?? { width: 390, height: 844 }
  await page.setViewportSize({ width: 320, height: 568 })
  await settled(page)
  await album.keep(`${name}-en-small`, await withFixedTexts(page, () => page.screenshot()))
  await page.setViewportSize(size)
}
