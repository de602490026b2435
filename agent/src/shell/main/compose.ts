import { join } from 'node:path'
import { app, type Session } from 'electron'
import type { WindowState } from '../../shared/ipc/window-state.ts'
import { AskedNotice } from './asked-notice.ts'
import { openBrowser } from './browser.ts'
import { createCapturePage } from './capture-window.ts'
import type { DesktopCore, OpenCore, QuitQuestion } from './core.ts'
import { claimLinks, LinkQueue, listenForLinks } from './deep-links.ts'
import { askToEnd, askToQuit, tellAsked, tellFailedStart, tellHidden } from './dialogs.ts'
import { answerDisplayMedia } from './display-media.ts'
import { guardEveryPage, openSession } from './guards.ts'
import { registerCommands } from './ipc.ts'
import { createKeyStore } from './key-store.ts'
import { setMenu } from './menu.ts'
import { createOsPermissions } from './os-permissions.ts'
import { registerPageScheme, servePages } from './pages.ts'
import { grantCapturePage } from './permissions.ts'
import { createShellSignals, Wakefulness } from './power.ts'
import { Pusher } from './pushes.ts'
import { QuitSequence } from './quit-sequence.ts'
import { textsFor } from './texts.ts'
import { TrayIcon } from './tray.ts'
import { AgentWindow } from './window.ts'

/** Where the build put things, and the core. */
export interface ShellOptions {
  readonly openCore: OpenCore
  readonly windowPage: string
  readonly capturePage: string
  /** The folder of the two preloads. */
  readonly preloads: string
  /** The folder of the icons. */
  readonly icons: string
  readonly onTrouble: (trouble: string) => void
}

/** The first start owns the session; a later one hands its link over and ends. Resolves once the window is there. */
export const startShell = async (options: ShellOptions): Promise<void> => {
  app.enableSandbox()
  registerPageScheme()
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  // Windows knows by it whose notifications and whose place in the task bar these are.
  app.setAppUserModelId('org.interview-integrity.agent')
  claimLinks()
  guardEveryPage()
  const links = new LinkQueue()
  listenForLinks(
    (link) => links.open(link),
    () => links.again(),
  )
  await app.whenReady()
  setMenu(process.platform)
  await new Shell(options, links).start()
}

class Shell {
  readonly #options: ShellOptions
  readonly #session: Session
  readonly #window: AgentWindow
  readonly #tray: TrayIcon
  readonly #leaving: QuitSequence
  readonly #wakefulness = new Wakefulness()
  readonly #asked: AskedNotice
  readonly #pusher: Pusher
  readonly #links: LinkQueue
  readonly #core = Promise.withResolvers<DesktopCore>()
  #opened: DesktopCore | undefined
  #toldHidden = false

  constructor(options: ShellOptions, links: LinkQueue) {
    this.#options = options
    this.#links = links
    this.#session = openSession()
    servePages(this.#session, { window: options.windowPage, capture: options.capturePage })
    this.#leaving = new QuitSequence({
      question: () => this.#question(),
      ask: (question) => askToQuit(this.#window.parent, question, this.#texts()),
      close: () => this.#close(),
      onTrouble: options.onTrouble,
    })
    this.#window = new AgentWindow({
      session: this.#session,
      preload: join(options.preloads, 'window-preload.cjs'),
      icon: join(options.icons, 'icon.png'),
      staysOnClose: () => !this.#leaving.decided && this.#question() !== 'none',
      onHiddenByClose: () => this.#tellHiddenOnce(),
      onClosed: () => app.quit(),
      onShutdown: () => void this.#leaving.leaveForGood(),
      onTrouble: options.onTrouble,
    })
    const tell = (): void => tellAsked(this.#texts(), () => this.#window.show())
    this.#asked = new AskedNotice(() => this.#window.isSeen, tell)
    this.#pusher = new Pusher((channel, value) => this.#window.send(channel, value), options.onTrouble)
    this.#tray = new TrayIcon(options.icons, this.#trayActions())
  }

  async start(): Promise<void> {
    this.#links.again = () => {
      if (!this.#leaving.takesStart()) this.#window.show()
    }
    app.on('activate', () => this.#window.show())
    registerCommands({
      window: () => this.#window.contents,
      handlers: this.#core.promise.then(({ handlers }) => handlers),
      onTrouble: this.#options.onTrouble,
    })
    // The page loads while the core opens.
    const loaded = this.#window
      .load()
      .catch((error: unknown) => this.#options.onTrouble(`The window: ${String(error)}`))
    const core = await this.#openCore()
    await loaded
    if (!core) return
    this.#links.takeWith((link) => {
      if (this.#leaving.takesStart(link)) return
      this.#window.show()
      core.openLink(link).catch((error: unknown) => this.#options.onTrouble(`A link failed: ${String(error)}`))
    })
  }

  async #openCore(): Promise<DesktopCore | undefined> {
    const { onTrouble, openCore, preloads } = this.#options
    const dataDir = join(app.getPath('userData'), 'agent')
    const page = createCapturePage({
      session: this.#session,
      preload: join(preloads, 'capture-preload.cjs'),
      onTrouble,
    })
    grantCapturePage(this.#session, () => page.contents)
    answerDisplayMedia(this.#session, () => page.wantedDisplay, onTrouble)
    try {
      const core = await openCore({
        dataDir,
        version: app.getVersion(),
        platform: process.platform,
        arch: process.arch,
        locale: app.getLocale(),
        onTrouble,
        ports: {
          keyStore: createKeyStore(dataDir, process.platform),
          capturePage: page,
          shell: createShellSignals(),
          permissions: createOsPermissions(process.platform),
          browser: openBrowser,
          window: {
            hide: () => this.#window.hide(),
            quit: () => app.quit(),
            quitAndOpenAgain: () => this.#leaving.quitAndOpenAgain(),
          },
        },
      })
      this.#opened = core
      core.onState((state) => this.#show(state))
      core.onPreview((preview) =>
        this.#pusher.push('preview', preview, `preview ${preview.lane} ${preview.displayId ?? ''}`),
      )
      this.#show(core.state())
      this.#core.resolve(core)
      return core
    } catch (error) {
      this.#core.reject(error)
      onTrouble(`The core did not open: ${String(error)}`)
      tellFailedStart(error instanceof Error ? error.message : '', this.#texts())
      await this.#leaving.leave()
      return undefined
    }
  }

  #show(state: WindowState): void {
    this.#tray.update(state)
    this.#asked.update(state)
    this.#wakefulness.update(state.screen === 'recording')
    this.#pusher.push('state', state)
  }

  #question(): QuitQuestion {
    return this.#opened?.quitQuestion() ?? 'none'
  }

  #texts() {
    return textsFor(this.#opened?.state().locale ?? app.getLocale())
  }

  #tellHiddenOnce(): void {
    const question = this.#question()
    if (this.#toldHidden || question === 'none') return
    this.#toldHidden = true
    tellHidden(question.recording, this.#texts())
  }

  #trayActions() {
    const run = (name: 'recording.pause' | 'recording.resume' | 'recording.end'): void => {
      this.#opened?.handlers[name]({}).catch((error: unknown) => this.#options.onTrouble(`${name}: ${String(error)}`))
    }
    return {
      open: () => this.#window.show(),
      pause: () => run('recording.pause'),
      resume: () => run('recording.resume'),
      end: () => void askToEnd(this.#window.parent, this.#texts()).then((end) => end && run('recording.end')),
      quit: () => app.quit(),
    }
  }

  async #close(): Promise<void> {
    this.#pusher.stop()
    this.#wakefulness.update(false)
    await this.#opened?.close()
    this.#tray.destroy()
  }
}
