import type { Display } from '../screen/displays.ts'

/**
 * What the desktop shell can be told of, by the names Electron gives it (`powerMonitor`, `screen`);
 * `media-devices-changed` is `navigator.mediaDevices.ondevicechange` of a page.
 */
export type ShellEvent =
  | 'suspend'
  | 'resume'
  | 'lock-screen'
  | 'unlock-screen'
  | 'display-added'
  | 'display-removed'
  | 'display-metrics-changed'
  | 'media-devices-changed'

/** A display as the shell lists it; places and sizes in device-independent pixels. */
export type ShellDisplay = Display & { name?: string; scaleFactor?: number; internal?: boolean }

/** As `navigator.mediaDevices.enumerateDevices` lists it; `id` stays on this device. */
export interface ShellMediaDevice {
  kind: 'audioinput' | 'videoinput' | 'audiooutput'
  label: string
  id: string
}

/**
 * The port through which a desktop shell feeds the observers. It is an interface and no more, so that the observers run
 * without any shell; `lock-screen` and `unlock-screen` are never fired on Linux, so the observers do not count on them there.
 */
export interface ShellSignals {
  /** Calls `listener` each time; gives the function that ends it. */
  on(event: ShellEvent, listener: () => void): () => void
  /** Seconds since the last keyboard or pointer input. */
  systemIdleSeconds(): number
  displays(): ShellDisplay[]
  /** Cameras and sound devices with their labels. Leave it out where no page may list them. */
  mediaDevices?(): Promise<ShellMediaDevice[]>
}
