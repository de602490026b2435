import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { WindowState } from '../../shared/ipc/window-state.ts'
import { type ShellTexts, textsFor } from './texts.ts'

export type TrayMode = 'idle' | 'recording' | 'paused' | 'sending'

export interface TrayActions {
  open(): void
  pause(): void
  resume(): void
  end(): void
  quit(): void
}

const trayMode = (state: WindowState | undefined): TrayMode => {
  if (state?.screen === 'recording' || state?.screen === 'paused') return state.screen
  return state?.screen === 'finishing' ? 'sending' : 'idle'
}

const tooltips: Record<TrayMode, keyof ShellTexts> = {
  idle: 'trayIdle',
  recording: 'trayRecording',
  paused: 'trayPaused',
  sending: 'traySending',
}

/** The icon in the tray: its picture and its words say whether something is recorded. */
export class TrayIcon {
  readonly #tray: Tray
  readonly #folder: string
  readonly #actions: TrayActions
  #shown = ''

  /** `folder` holds what build/make-icons.ts drew. */
  constructor(folder: string, actions: TrayActions) {
    this.#folder = folder
    this.#actions = actions
    this.#tray = new Tray(this.#picture('idle'))
    this.#tray.on('click', () => actions.open())
    this.update(undefined)
  }

  update(state: WindowState | undefined): void {
    const mode = trayMode(state)
    const pausable = state?.recording?.pauseAllowed === true
    const locale = state?.locale ?? 'en'
    const now = `${mode} ${pausable} ${locale}`
    // A menu that is open would close under the pointer.
    if (now === this.#shown) return
    this.#shown = now
    const texts = textsFor(locale)
    this.#tray.setImage(this.#picture(mode))
    this.#tray.setToolTip(texts[tooltips[mode]])
    this.#tray.setContextMenu(Menu.buildFromTemplate(this.#menu(mode, pausable, texts)))
  }

  destroy(): void {
    this.#tray.destroy()
  }

  #picture(mode: TrayMode): Electron.NativeImage {
    // Linux scales what it is given; the others take the file that fits (`@2x`).
    const size = process.platform === 'linux' ? '-large' : ''
    return nativeImage.createFromPath(join(this.#folder, `tray-${mode}${size}.png`))
  }

  #menu(mode: TrayMode, pausable: boolean, texts: ShellTexts): MenuItemConstructorOptions[] {
    const actions = this.#actions
    const line: MenuItemConstructorOptions = { type: 'separator' }
    const items: MenuItemConstructorOptions[] = [
      { label: texts[tooltips[mode]], enabled: false },
      line,
      { label: texts.menuOpen, click: () => actions.open() },
    ]
    if (mode === 'recording' && pausable) items.push({ label: texts.menuPause, click: () => actions.pause() })
    if (mode === 'paused') items.push({ label: texts.menuResume, click: () => actions.resume() })
    if (mode === 'recording' || mode === 'paused') items.push({ label: texts.menuEnd, click: () => actions.end() })
    return [...items, line, { label: texts.menuQuit, click: () => actions.quit() }]
  }
}
