import type { Environment } from '../../shared/child-process.ts'
import { readBytes, readWords, selectEvents } from './properties.ts'
import { XConnection, XRefusal } from './x-connection.ts'

const destroyNotify = 17
const propertyNotify = 28
const structureNotifyMask = 0x2_0000
const propertyChangeMask = 0x40_0000

const supportedMost = 4096
const classBytes = 4096

const names = [
  '_NET_ACTIVE_WINDOW',
  '_NET_SUPPORTED',
  '_NET_SUPPORTING_WM_CHECK',
  'WM_CLASS',
  '_NET_WM_NAME',
  'WM_NAME',
]
type Atoms = ReadonlyMap<string, number>

/** Nobody on this display says which window is in front: that is not known, and not "none". */
export class FrontWindowUntold extends Error {
  override readonly name = 'FrontWindowUntold'
}
const untold = () => new FrontWindowUntold('the window manager does not say which window is in front')

/** The second of the two strings that WM_CLASS is (ICCCM, 4.1.2.5): the application's name. */
export const applicationOf = (wmClass: Buffer): string | undefined => {
  const [, name] = wmClass.toString('latin1').split('\0')
  return name === undefined || name === '' ? undefined : name
}

/**
 * The window in front, as the window manager says it (EWMH: `_NET_ACTIVE_WINDOW` of the root window), told at each change
 * over a connection of its own.
 */
export class FrontWindow {
  readonly #connection: XConnection
  readonly #atoms: Atoms
  readonly #managerGone = Promise.withResolvers<never>()
  #manager: number | undefined
  /** Called when another window may be in front. */
  onChange: () => void = () => undefined

  private constructor(connection: XConnection, atoms: Atoms) {
    this.#connection = connection
    this.#atoms = atoms
    this.#managerGone.promise.catch(() => undefined)
    connection.onEvent = (event) => this.#take(event)
  }

  /** @throws FrontWindowUntold when no window manager says it, Error when there is no X server to ask */
  static async open(env: Environment): Promise<FrontWindow> {
    const connection = await XConnection.open(env)
    try {
      const atoms = new Map<string, number>()
      for (const name of names) atoms.set(name, await connection.atom(name))
      const front = new FrontWindow(connection, atoms)
      await selectEvents(connection, connection.root, propertyChangeMask)
      await front.#findManager()
      return front
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** Rejects when the window manager or the X server is gone. */
  get ended(): Promise<never> {
    return Promise.race([this.#connection.ended, this.#managerGone.promise])
  }

  close(): void {
    this.#connection.close()
  }

  /** The window in front; undefined when none is. @throws FrontWindowUntold once nobody says it any more */
  async current(): Promise<number | undefined> {
    const [window] = (await this.#words('_NET_ACTIVE_WINDOW', 1)) ?? []
    if (window === undefined) await this.#findManager()
    return window || undefined
  }

  /** The name of the application that a window belongs to; undefined when it has none, or is gone. */
  async applicationOf(window: number): Promise<string | undefined> {
    const wmClass = await this.#text(window, 'WM_CLASS', classBytes)
    return wmClass && applicationOf(wmClass)
  }

  /** A window's title, its first bytes: in UTF-8, else the older Latin-1; undefined when it has none, or is gone. */
  async titleOf(window: number, mostBytes: number): Promise<string | undefined> {
    const modern = await this.#text(window, '_NET_WM_NAME', mostBytes)
    if (modern) return modern.toString('utf8')
    return (await this.#text(window, 'WM_NAME', mostBytes))?.toString('latin1')
  }

  async #text(window: number, name: string, mostBytes: number): Promise<Buffer | undefined> {
    try {
      const bytes = await readBytes(this.#connection, window, this.#atom(name), mostBytes)
      return bytes?.length ? bytes : undefined
    } catch (error) {
      if (error instanceof XRefusal) return undefined
      throw error
    }
  }

  #words(name: string, most: number, window = this.#connection.root): Promise<number[] | undefined> {
    return readWords(this.#connection, window, this.#atom(name), most)
  }

  /** What a window manager that has died said last stays on the root window: so it is asked for its own window too. */
  async #findManager(): Promise<void> {
    const supported = await this.#words('_NET_SUPPORTED', supportedMost)
    if (!supported?.includes(this.#atom('_NET_ACTIVE_WINDOW'))) throw untold()
    const [manager] = (await this.#words('_NET_SUPPORTING_WM_CHECK', 1)) ?? []
    if (manager === undefined || manager === this.#manager) return
    this.#manager = manager
    try {
      await selectEvents(this.#connection, manager, structureNotifyMask)
    } catch (error) {
      this.#manager = undefined
      throw error instanceof XRefusal ? untold() : error
    }
  }

  #take(event: Buffer): void {
    const kind = event.readUInt8(0) & 0x7f
    const active = this.#atom('_NET_ACTIVE_WINDOW')
    if (kind === propertyNotify && event.readUInt32LE(8) === active) this.onChange()
    // DestroyNotify: the window that was asked about, then the one that is gone.
    if (kind === destroyNotify && event.readUInt32LE(8) === this.#manager) this.#managerGone.reject(untold())
  }

  #atom(name: string): number {
    return this.#atoms.get(name) ?? 0
  }
}
