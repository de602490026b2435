import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

export type { Page } from 'playwright-core'

/** The engine alone, without a browser's own surface: a page costs it a third of the processor time. It has no camera. */
const engine = '/usr/bin/chromium-headless-shell'
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of this machine; `CHROMIUM_PATH` wins. Says loudly when there is none. */
export const findChromium = (suite: string): string | undefined => {
  const given = process.env['CHROMIUM_PATH']
  const found = (given ? [given] : places).find((place) => existsSync(place))
  if (!found) console.warn(`\n*** SKIPPED: ${suite}. Chromium is not installed (apt-get install -y chromium) ***\n`)
  return found
}

const needsBrowser = (args: readonly string[]): boolean => args.some((arg) => arg.includes('media-stream'))

/** @param executablePath what {@link findChromium} gave: a page that asks for no camera has the engine alone, where it is installed */
export const launchChromium = (executablePath: string | undefined, args: readonly string[] = []): Promise<Browser> => {
  const isEnough = executablePath === places[0] && !needsBrowser(args) && existsSync(engine)
  const program = isEnough ? engine : executablePath
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu', ...args] })
}

const shared = new Map<string, Promise<Browser>>()

/**
 * The browser of this process with these arguments, for suites that keep apart by contexts: starting one takes a second. It
 * ends with the process; a suite closes what it opened with {@link closeContexts}.
 */
export const sharedChromium = (executablePath: string | undefined, args: readonly string[] = []): Promise<Browser> => {
  const key = args.join(' ')
  const browser = shared.get(key) ?? launchChromium(executablePath, args)
  shared.set(key, browser)
  return browser
}

/** Closes a context whose routes may still wait for an answer: their handlers would reject where no test listens. */
export const closeContext = async (context: BrowserContext): Promise<void> => {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
}

/** Closes what suites of this process have opened in the browser; they run one after the other. */
export const closeContexts = async (browser: Browser | undefined): Promise<void> => {
  for (const context of browser?.contexts() ?? []) await closeContext(context)
}

/** What a page did that a reader does not see. */
export interface Watched {
  /** Errors on the console, of scripts, and of loading; breaches of the content security policy are among them. */
  readonly errors: string[]
  readonly requests: string[]
}

export const watch = (page: Page): Watched => {
  const errors: string[] = []
  const requests: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('requestfailed', (request) => errors.push(`${request.url()} ${request.failure()?.errorText ?? ''}`))
  page.on('request', (request) => requests.push(request.url()))
  return { errors, requests }
}
