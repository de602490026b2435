/**
 * As much of Electron's main process as the shell uses: it keeps what it was told and lets a test play the operating
 * system. No window, no page: those are Chromium's and are tested in Chromium. `electron.reset()` begins again.
 */
import { EventEmitter } from 'node:events'
import { FakeContents } from './fake-contents.ts'
import { FakeSession } from './fake-session.ts'
import { FakeUtilityProcess } from './fake-utility-process.ts'

export { FakeContents, FakePort, type Frame, MessageChannelMain } from './fake-contents.ts'
export type { FakeSession } from './fake-session.ts'

export interface FakeEvent {
  defaultPrevented: boolean
  preventDefault(): void
}
export const fakeEvent = (): FakeEvent => ({
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true
  },
})

/** Emits with an event that can be prevented, and gives it. */
export const emitPreventable = (emitter: EventEmitter, name: string, ...args: unknown[]): FakeEvent => {
  const event = fakeEvent()
  emitter.emit(name, event, ...args)
  return event
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new FakeContents()
  readonly options: Record<string, unknown> & { webPreferences: Record<string, unknown> }
  visible = false
  destroyed = false
  constructor(options: BrowserWindow['options']) {
    super()
    this.options = options
    electron.windows.push(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  async loadURL(url: string): Promise<void> {
    await Promise.resolve()
    if (electron.failLoads && url.startsWith(electron.failLoads)) throw new Error('ERR_FAILED')
    this.webContents.mainFrame.url = url
    this.emit('ready-to-show')
  }
  show(): void {
    this.visible = true
  }
  hide(): void {
    this.visible = false
  }
  focus(): void {}
  isVisible(): boolean {
    return this.visible
  }
  isMinimized(): boolean {
    return false
  }
  restore(): void {}
  removeMenu(): void {}
  isDestroyed(): boolean {
    return this.destroyed
  }
  /** What the window's cross does. */
  close(): void {
    if (this.destroyed || emitPreventable(this, 'close').defaultPrevented) return
    this.destroy()
  }
  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.webContents.destroyed = true
    this.visible = false
    this.emit('closed')
  }
}

class FakeApp extends EventEmitter {
  readonly isPackaged = true
  async whenReady(): Promise<void> {
    await electron.ready
  }
  enableSandbox(): void {
    electron.calls.push('enableSandbox')
  }
  setAppUserModelId(id: string): void {
    electron.calls.push(`setAppUserModelId ${id}`)
  }
  requestSingleInstanceLock(): boolean {
    return electron.lock
  }
  setAsDefaultProtocolClient(scheme: string): boolean {
    electron.calls.push(`setAsDefaultProtocolClient ${scheme}`)
    return true
  }
  relaunch({ args = [] }: { readonly args?: readonly string[] } = {}): void {
    electron.calls.push(['relaunch', ...args].join(' '))
  }
  getPath(): string {
    return electron.userData
  }
  getVersion(): string {
    return '1.2.3'
  }
  getLocale(): string {
    return electron.locale
  }
  /** As Electron does it: before-quit, then every window may object, then it is over. */
  quit(): void {
    electron.calls.push('quit')
    if (electron.quitted || emitPreventable(this, 'before-quit').defaultPrevented) return
    for (const window of electron.windows) window.close()
    if (electron.windows.every(({ destroyed }) => destroyed)) {
      electron.quitted = true
      this.emit('quitted')
    }
  }
}

export class Tray extends EventEmitter {
  image: unknown
  tooltip = ''
  menu: { label?: string; enabled?: boolean; click?(): void }[] = []
  destroyed = false
  constructor(image: unknown) {
    super()
    this.image = image
    electron.trays.push(this)
  }
  setImage(image: unknown): void {
    this.image = image
  }
  setToolTip(text: string): void {
    this.tooltip = text
  }
  setContextMenu(menu: Tray['menu']): void {
    this.menu = menu
  }
  destroy(): void {
    this.destroyed = true
  }
  choose(label: string): void {
    const item = this.menu.find((item) => item.label === label)
    if (!item?.click) throw new Error(`no ${label} in ${this.menu.map(({ label }) => label).join(', ')}`)
    item.click()
  }
}

export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return electron.notifications !== undefined
  }
  readonly options: { title: string; body: string }
  constructor(options: { title: string; body: string }) {
    super()
    this.options = options
  }
  show(): void {
    electron.notifications?.push(this.options)
    electron.newestNotification = this
  }
}

type Invoke = (event: unknown, input: unknown) => Promise<unknown>

/** Everything a test sets or looks at. */
export const electron = {
  lock: true,
  locale: 'en-GB',
  userData: '',
  ready: Promise.resolve(),
  quitted: false,
  /** Addresses that begin like this do not load; empty: all do. */
  failLoads: '',
  calls: [] as string[],
  windows: [] as BrowserWindow[],
  trays: [] as Tray[],
  processes: [] as FakeUtilityProcess[],
  sessions: [] as FakeSession[],
  schemes: [] as { scheme: string; privileges: Record<string, boolean> }[],
  /** undefined: this desktop has no notifications. */
  notifications: [] as { title: string; body: string }[] | undefined,
  newestNotification: undefined as Notification | undefined,
  questions: [] as { message: string; detail: string; buttons?: string[]; defaultId?: number; cancelId?: number }[],
  /** What is answered to the questions to come; 0 when there is none. */
  answers: [] as number[],
  errorBoxes: [] as string[],
  opened: [] as string[],
  asked: [] as string[],
  mediaAccess: {} as Record<string, string>,
  menu: 'the default one' as unknown,
  blockers: new Set<number>(),
  handlers: new Map<string, Invoke>(),
  keyring: { available: true, backend: 'gnome_libsecret', secret: 'one' },
  displays: [] as Record<string, unknown>[],
  sources: [] as { id: string; display_id: string }[],
  sourcesFail: false,
  idleSeconds: 0,
  reset(userData: string): void {
    for (const emitter of [app, powerMonitor, screen]) emitter.removeAllListeners()
    Object.assign(this, { lock: true, locale: 'en-GB', userData, ready: Promise.resolve(), quitted: false })
    Object.assign(this, { failLoads: '', sourcesFail: false, notifications: [], mediaAccess: {}, idleSeconds: 0 })
    for (const list of [this.calls, this.windows, this.trays, this.sessions, this.schemes, this.questions])
      list.length = 0
    for (const list of [this.answers, this.errorBoxes, this.opened, this.asked, this.processes]) list.length = 0
    this.menu = 'the default one'
    this.blockers.clear()
    this.handlers.clear()
    this.keyring = { available: true, backend: 'gnome_libsecret', secret: 'one' }
    this.displays = [
      {
        id: 1,
        bounds: { x: 0, y: 0, width: 800, height: 600 },
        size: { width: 800, height: 600 },
        scaleFactor: 2,
        label: 'Inner',
        internal: true,
      },
    ]
    this.sources = [{ id: 'screen:1:0', display_id: '1' }]
  },
}

export const app = new FakeApp()
export const powerMonitor = Object.assign(new EventEmitter(), { getSystemIdleTime: () => electron.idleSeconds })
export const screen = Object.assign(new EventEmitter(), {
  getAllDisplays: () => electron.displays,
  getPrimaryDisplay: () => electron.displays[0],
})
export const ipcMain = {
  handle: (channel: string, handler: Invoke): void => {
    if (electron.handlers.has(channel)) throw new Error(`a second handler for ${channel}`)
    electron.handlers.set(channel, handler)
  },
}
export const session = {
  fromPartition: (partition: string, options: { cache?: boolean }): FakeSession => {
    const made = new FakeSession(partition, options)
    electron.sessions.push(made)
    return made
  },
}
export const protocol = {
  registerSchemesAsPrivileged: (schemes: typeof electron.schemes): void => void electron.schemes.push(...schemes),
}
export const Menu = {
  buildFromTemplate: (template: Tray['menu']) => template,
  setApplicationMenu: (menu: unknown): void => {
    electron.menu = menu
  },
}
export const nativeImage = { createFromPath: (path: string) => path }
export const dialog = {
  showMessageBox: async (...args: unknown[]): Promise<{ response: number }> => {
    electron.questions.push(args.at(-1) as (typeof electron.questions)[number])
    return { response: electron.answers.shift() ?? 0 }
  },
  showErrorBox: (title: string, text: string): void => void electron.errorBoxes.push(`${title}: ${text}`),
}
export const powerSaveBlocker = {
  start: (): number => {
    const id = electron.blockers.size + 1
    electron.blockers.add(id)
    return id
  },
  stop: (id: number): boolean => electron.blockers.delete(id),
}
/** "Encryption" that another keyring does not undo. */
export const safeStorage = {
  isEncryptionAvailable: () => electron.keyring.available,
  getSelectedStorageBackend: () => electron.keyring.backend,
  encryptString: (text: string) => Buffer.from(`${electron.keyring.secret}|${Buffer.from(text).toString('hex')}`),
  decryptString: (sealed: Buffer) => {
    const [secret, text = ''] = sealed.toString().split('|')
    if (secret !== electron.keyring.secret) throw new Error('Error while decrypting the ciphertext')
    return Buffer.from(text, 'hex').toString()
  },
}
export const systemPreferences = {
  getMediaAccessStatus: (medium: string) => electron.mediaAccess[medium] ?? 'not-determined',
  askForMediaAccess: async (medium: string) => electron.asked.push(medium) > 0,
}
export const utilityProcess = {
  fork: (script: string, args: readonly string[], options: Record<string, unknown>): FakeUtilityProcess => {
    const made = new FakeUtilityProcess(script, args, options)
    electron.processes.push(made)
    return made
  },
}
export const shell = { openExternal: async (url: string) => void electron.opened.push(url) }
export const desktopCapturer = {
  getSources: async () => {
    if (electron.sourcesFail) throw new Error('Failed to get sources.')
    return electron.sources
  },
}
