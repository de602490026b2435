import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Client } from '@integrity/client/every-endpoint'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Watched, watch } from './browser.ts'
import type { TestServer } from './server.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** The pages as their sources are now; nothing to do when they are built already. */
export const buildRoomClient = (): void => {
  execFileSync(process.execPath, [path.join(root, 'scripts/build-clients.ts')], { stdio: 'inherit' })
}

/** A camera that shows a moving picture, and that is permitted only where a test says so. */
export const cameraArgs = ['--use-fake-device-for-media-stream']

export interface RoomVisit {
  readonly page: Page
  readonly context: BrowserContext
  readonly seen: Watched
}

export interface VisitOptions {
  /** Without it, every prompt for the camera is answered with no. */
  readonly camera?: boolean
  readonly width?: number
  readonly height?: number
  readonly locale?: string
}

/** A browser of one person, with nothing remembered. */
export const visitRoom = async (
  browser: Browser,
  { camera = true, width = 1280, height = 800, locale = 'en' }: VisitOptions = {},
): Promise<RoomVisit> => {
  const context = await browser.newContext({ viewport: { width, height }, locale, reducedMotion: 'reduce' })
  await context.grantPermissions(camera ? ['camera'] : ['notifications'])
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  return { page, context, seen: watch(page) }
}

/** A room of a new session, and its link on this server. */
export const newRoom = async (server: TestServer, api: Client, stillIntervalSeconds = 1, label = 'Room 4') => {
  const body = { candidateLabel: 'A. Candidate', config: { camera: { stillIntervalSeconds } } }
  const session = (await api.call('sessions.create', { body })).data
  const params = { id: session.id }
  const device = (await api.call('sessions.roomDevices.create', { params, body: { label } })).data
  return { id: session.id, token: device.roomToken, link: `${server.url}/room/${new URL(device.url).hash}` }
}

const axeSource = readFileSync(
  createRequire(path.join(root, 'room-web/package.json')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** The rules whose answer the light and the dark colours can change; all others read the page's structure. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** What axe finds against WCAG 2.2, levels A and AA, and its best practices, on a dark page, and in the colours of a light one. */
export const accessibilityFaults = async (page: Page): Promise<string[]> => {
  const faults: string[] = []
  // Through the debugger, as the page's own policy admits no script but its own.
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) await page.evaluate(axeSource)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const options = { resultTypes: ['violations'], ...(colorScheme === 'light' && { runOnly: colourRules }) }
    const found: string[] = await page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
    faults.push(...found.map((fault) => `${colorScheme} ${fault}`))
  }
  return faults
}

/** What can be pressed and is smaller than a finger: 44 by 44 pixels. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, input, select')].filter((element) => {
    // A label presses what stands in it.
    const sizes = [element, element.closest('label')].flatMap((one) => (one ? [one.getBoundingClientRect()] : []))
    return sizes[0].width > 0 && sizes.every(({ width, height }) => width < 44 || height < 44)
  }).map(({ textContent }) => textContent)`)

/** How many pixels of the page lie beyond the right or left edge. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
