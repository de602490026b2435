import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { TestBrand } from '../../../server/test/test-support/brands.ts'
import type { WindowState } from '../../src/shared/ipc/window-state.ts'
import { type BuiltWindow, buildWindow } from './built-window.ts'
import { ScriptedCore } from './scripted-core.ts'
import { buildState } from './states.ts'
import { type Variant, type VariantName, variants } from './variants.ts'

/** `CHROMIUM_PATH` wins. */
const places = [process.env['CHROMIUM_PATH'] ?? [], '/usr/bin/chromium', '/usr/bin/chromium-browser'].flat()
export const chromiumPath = places.find((place) => existsSync(place))
if (!chromiumPath)
  console.warn("\n*** SKIPPED: the window's pages. Chromium is not installed (apt-get install -y chromium) ***\n")

export interface OpenWindow {
  readonly page: Page
  readonly core: ScriptedCore
  /** Errors of the console, of scripts and of loading; breaches of the page's policy are among them. */
  readonly errors: string[]
  close(): Promise<void>
}

/** The built page, and a browser to look at it. */
export class Windows {
  readonly built: BuiltWindow
  readonly #browser: Browser

  private constructor(built: BuiltWindow, browser: Browser) {
    this.built = built
    this.#browser = browser
  }

  static async start(): Promise<Windows> {
    const built = await buildWindow()
    return new Windows(built, await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] }))
  }

  async stop(): Promise<void> {
    await this.#browser.close()
    await this.built.close()
  }

  /** A window over a core with this state. */
  async open(state = buildState(), options: BrowserContextOptions = {}): Promise<OpenWindow> {
    const context = await this.#browser.newContext({
      viewport: { width: 1000, height: 720 },
      locale: 'en',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    const core = new ScriptedCore(state)
    await core.attach(page)
    await page.goto(this.built.url)
    // Before it has drawn its first state, another one is no change to it, and nothing of it is read out.
    await page.locator('h1').waitFor()
    return { page, core, errors, close: () => context.close() }
  }
}

/** The state as it is in a session of this organisation. */
const inBrand = (state: WindowState, { displayName, palette, welcome, privacyContact }: TestBrand): WindowState => {
  if (!state.session) return state
  const brand = { palette, welcome, logoUrl: '/v1/orgs/org_1/branding/logo' }
  return { ...state, session: { ...state.session, orgName: displayName, privacyContact, brand } }
}

/** The same window in another state, as if it had just been opened there. */
export const showVariant = async (
  { page, core }: OpenWindow,
  name: VariantName,
  locale = 'en',
  brand?: TestBrand,
): Promise<void> => {
  const { state: plain, previews = [], press = [] }: Variant = variants[name]
  const state = brand ? inBrand(plain, brand) : plain
  await core.show(buildState({ screen: 'joining', session: { id: name } }))
  await core.show({ ...state, locale: 'en' })
  await page.locator('h1').waitFor()
  for (const moment of previews) await core.preview(moment)
  for (const label of press) await page.getByRole('button', { name: label, exact: true }).click()
  if (locale !== 'en') await core.show({ ...state, locale })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds against WCAG 2.2, levels A and AA, and its best practices. */
export const accessibilityFaults = async (page: Page): Promise<string[]> => {
  // Through the debugger, as the page's own policy admits no script but its own.
  await page.evaluate(`window.axe === undefined && (() => { ${axeSource} })()`)
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`)
}

/** What lies beyond the edges of the page or of its own box. */
export const clippedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('html, body *')].flatMap((element) => {
    if (element.closest('.unseen, svg, select, dialog:not([open])') || element.matches('img, meter, progress')) return []
    const { scrollWidth, clientWidth, tagName, className } = element
    const { left, right, width } = element.getBoundingClientRect()
    const beyond = width > 0 && (left < -1 || right > document.documentElement.clientWidth + 1)
    const own = clientWidth > 0 && getComputedStyle(element).display !== 'inline' && scrollWidth > clientWidth + 1
    // What is typed may be longer than its field.
    return beyond || (own && tagName !== 'INPUT') ? [tagName + '.' + className + ' ' + (element.textContent ?? '').slice(0, 40)] : []
  })`)
