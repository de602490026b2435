import { BrowserWindow, type Session, type WebContents } from 'electron'
import { pagePreferences } from './guards.ts'
import { pageUrl } from './pages.ts'

export interface WindowOptions {
  readonly session: Session
  readonly preload: string
  readonly icon: string
  /** Whether closing only hides: something is recorded or sent. */
  readonly staysOnClose: () => boolean
  readonly onHiddenByClose: () => void
  /** Closed, while nothing was going on. */
  readonly onClosed: () => void
  /** The user logs out or the computer shuts down (Windows). */
  readonly onShutdown: () => void
  readonly onTrouble: (trouble: string) => void
}

/** The one window. It is made once, hidden and shown; what it shows is decided by the core. */
export class AgentWindow {
  readonly #window: BrowserWindow
  readonly #options: WindowOptions
  #closed = false

  constructor(options: WindowOptions) {
    this.#options = options
    this.#window = new BrowserWindow({
      width: 960,
      height: 760,
      minWidth: 320,
      minHeight: 400,
      show: false,
      autoHideMenuBar: true,
      icon: options.icon,
      title: 'Interview Integrity',
      webPreferences: pagePreferences(options.session, options.preload),
    })
    this.#window.removeMenu()
    this.#window.once('ready-to-show', () => this.show())
    this.#window.on('close', (event) => {
      if (!options.staysOnClose()) return
      event.preventDefault()
      this.hide()
      options.onHiddenByClose()
    })
    this.#window.on('closed', () => {
      this.#closed = true
      options.onClosed()
    })
    this.#window.on('session-end', () => options.onShutdown())
    this.#window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return
      options.onTrouble(`The window's page ended (${reason}) and is loaded again.`)
      if (!this.#closed) this.#window.webContents.reload()
    })
  }

  async load(): Promise<void> {
    await this.#window.loadURL(pageUrl('window'))
  }

  /** Undefined once it is closed. */
  get contents(): WebContents | undefined {
    return this.#closed || this.#window.isDestroyed() ? undefined : this.#window.webContents
  }

  /** For questions that belong to it. */
  get parent(): BrowserWindow | undefined {
    return this.#closed ? undefined : this.#window
  }

  /** On the screen, though other windows may cover it. */
  get isSeen(): boolean {
    return !this.#closed && this.#window.isVisible() && !this.#window.isMinimized()
  }

  show(): void {
    if (this.#closed) return
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.focus()
  }

  hide(): void {
    if (!this.#closed) this.#window.hide()
  }

  send(channel: string, value: unknown): void {
    const contents = this.contents
    if (contents && !contents.isDestroyed()) contents.send(channel, value)
    else this.#options.onTrouble(`${channel} has no window`)
  }
}
