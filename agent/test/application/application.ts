import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { liveOver } from '../../src/core/session/open-live.ts'
import { fileKeyStore } from '../../src/core/spool/key-store.ts'
import { DesktopAgent } from '../../src/desktop/desktop-agent.ts'
import type { DesktopOptions } from '../../src/desktop/desktop-agent.types.ts'
import { createLanes } from '../../src/machine/adapters/create-lanes.ts'
import { createPageLinks } from '../../src/machine/page/page-links.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { type CommandName, commands } from '../../src/shared/ipc/channels.ts'
import { preview, type WindowState, windowState } from '../../src/shared/ipc/window-state.ts'
import { bridge } from '../renderer/bridge.ts'
import { type BuiltWindow, buildWindow } from '../renderer/built-window.ts'
import { buildCapturePage, type CaptureBrowser, startCaptureBrowser } from '../test-support/capture-browser.ts'
import { until } from '../test-support/until.ts'
import type { VirtualDesktop } from '../test-support/virtual-desktop.ts'

/** The two built pages, once for all applications of a test file. */
export interface BuiltPages {
  readonly window: BuiltWindow
  readonly captureFolder: string
  remove(): Promise<void>
}

export const buildPages = async (): Promise<BuiltPages> => {
  const captureFolder = await mkdtemp(join(tmpdir(), 'capture-page-'))
  await buildCapturePage(captureFolder)
  const window = await buildWindow()
  return {
    window,
    captureFolder,
    remove: async () => {
      await window.close()
      await rm(captureFolder, { recursive: true, force: true })
    },
  }
}

export interface ApplicationOptions {
  readonly pages: BuiltPages
  readonly desktop: VirtualDesktop
  /** Fake devices of the browser: Motion JPEG and a WAV. */
  readonly camera: string
  readonly voice: string
  readonly over?: Partial<DesktopOptions>
}

/**
 * The application without Electron: the real core in this process, the built window and the built capture page in a
 * real browser on a real display. What stands between them is the test's bridge in place of the preloads.
 */
export class Application {
  readonly page: Page
  readonly browser: CaptureBrowser
  readonly states: WindowState[] = []
  readonly troubles: string[] = []
  readonly calls: string[] = []
  /** What came to the candidate's own browser. */
  readonly opened: string[] = []
  readonly #options: ApplicationOptions
  readonly #folder: string
  #core: DesktopAgent | undefined
  #pushing: Promise<unknown> = Promise.resolve()

  private constructor(options: ApplicationOptions, folder: string, browser: CaptureBrowser, page: Page) {
    this.#options = options
    this.#folder = folder
    this.browser = browser
    this.page = page
  }

  static async start(options: ApplicationOptions): Promise<Application> {
    const { pages, desktop, camera, voice } = options
    const folder = await mkdtemp(join(tmpdir(), 'application-'))
    const browser = await startCaptureBrowser({
      folder: pages.captureFolder,
      env: desktop.env,
      args: [
        '--auto-select-desktop-capture-source=Entire screen',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${camera}`,
        `--use-file-for-fake-audio-capture=${voice}`,
      ],
    })
    const context = await browser.browser.newContext({ viewport: { width: 900, height: 640 }, locale: 'en' })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const application = new Application(options, folder, browser, page)
    await page.exposeFunction('agentCall', (name: CommandName, input: unknown) => application.#call(name, input))
    await page.addInitScript(bridge)
    await application.startCore()
    await page.goto(pages.window.url)
    return application
  }

  get core(): DesktopAgent {
    if (!this.#core) throw new Error('the core is not running')
    return this.#core
  }

  get state(): WindowState {
    return this.core.state()
  }

  /** Opens the core on the folder of the one before. */
  async startCore(): Promise<void> {
    const { desktop, over } = this.#options
    const web = createPageLinks(this.browser.pages, systemClock)
    this.#core = await DesktopAgent.open({
      dataDir: this.#folder,
      version: '1.0.0',
      platform: 'linux',
      locale: 'en',
      sources: { env: desktop.env, systemSource: 'sysloop' },
      // As on the systems where the page is tried before the programs of this machine.
      create: (lanes) => createLanes({ ...lanes, web, platform: 'win32' }),
      ports: {
        keyStore: fileKeyStore(this.#folder),
        permissions: { status: () => 'unknown', ask: async () => undefined, openSettings: async () => false },
        window: { hide: () => this.calls.push('hide'), quit: () => this.calls.push('quit') },
        browser: { open: async (address) => void this.opened.push(address) },
      },
      onTrouble: (trouble) => this.troubles.push(trouble),
      openLiveFor: (server) => liveOver(server, systemClock),
      ...over,
    })
    this.#core.onState((state) => this.#push('state', windowState.parse(state)))
    this.#core.onPreview((moment) => this.#push('preview', preview.parse(moment)))
  }

  async stopCore(): Promise<void> {
    await this.#core?.close()
    this.#core = undefined
  }

  /** Waits for a state of the core; a problem that nobody expects ends the wait. */
  async until(what: string, is: (state: WindowState) => boolean): Promise<void> {
    await until(`${what}; it was ${this.state.screen} ${JSON.stringify(this.state.problem ?? '')}`, () =>
      is(this.state),
    )
  }

  async stop(): Promise<void> {
    await this.stopCore()
    await this.#pushing.catch(() => undefined)
    await this.browser.stop()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 })
  }

  async #call(name: CommandName, input: unknown): Promise<unknown> {
    const handler = this.core.handlers[name] as (input: unknown) => Promise<unknown>
    return commands[name].output.parse(await handler(commands[name].input.parse(input)))
  }

  #push(name: 'state' | 'preview', value: unknown): void {
    if (name === 'state') this.states.push(value as WindowState)
    // One at a time, and none piles up behind a page that is away.
    this.#pushing = this.#pushing
      .then(() => this.page.evaluate(`agentPush(${JSON.stringify(name)}, ${JSON.stringify(value)})`))
      .catch(() => undefined)
  }
}
