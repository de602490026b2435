import { powerMonitor, powerSaveBlocker, screen } from 'electron'
import type { ShellDisplay, ShellEvent, ShellSignals } from '../../machine/observers/shell-signals.ts'

/** Keeps the computer from falling asleep by idleness while it records. The display may still go dark and lock. */
export class Wakefulness {
  #blocker: number | undefined

  update(recording: boolean): void {
    if (recording && this.#blocker === undefined) this.#blocker = powerSaveBlocker.start('prevent-app-suspension')
    if (!recording && this.#blocker !== undefined) {
      powerSaveBlocker.stop(this.#blocker)
      this.#blocker = undefined
    }
  }
}

const shown = (display: Electron.Display): ShellDisplay => ({
  id: String(display.id),
  x: display.bounds.x,
  y: display.bounds.y,
  width: display.bounds.width,
  height: display.bounds.height,
  primary: display.id === screen.getPrimaryDisplay().id,
  name: display.label,
  scaleFactor: display.scaleFactor,
  internal: display.internal,
})

/** Subscribes to one of Electron's emitters, whose typed overloads take no union of event names. */
const subscribe = (emitter: NodeJS.EventEmitter, event: string, listener: () => void): (() => void) => {
  const heard = (): void => listener()
  emitter.on(event, heard)
  return () => void emitter.off(event, heard)
}

/** Power, lock, idleness and displays as Electron has them. The list of devices is a page's, so it is left out. */
export const createShellSignals = (): ShellSignals => ({
  on(event: ShellEvent, listener) {
    if (event === 'media-devices-changed') return () => {}
    return subscribe(event.startsWith('display-') ? screen : powerMonitor, event, listener)
  },
  systemIdleSeconds: () => powerMonitor.getSystemIdleTime(),
  displays: () => screen.getAllDisplays().map(shown),
})
