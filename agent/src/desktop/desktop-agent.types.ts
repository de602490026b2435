import type { LaneName, PermissionState } from '@integrity/protocol'
import type { CapturePort, ObserversPort, OpenLive } from '../core/session/ports.ts'
import type { KeyStore } from '../core/spool/key-store.ts'
import type { Sources } from '../machine/adapters/capture-config.ts'
import type { createLanes } from '../machine/adapters/create-lanes.ts'
import type { ShellSignals } from '../machine/observers/shell-signals.ts'
import type { LaunchSherpa } from '../machine/speech/sherpa.ts'
import type { Clock } from '../shared/clock.ts'
import type { UpdateController } from '../trust/updates/update-controller.ts'
import type { DeviceChoices } from './device-choices.ts'

/** What the operating system lets this program record. */
export interface PermissionsPort {
  status(lane: LaneName): PermissionState
  /** Lets the operating system ask, where it does so on demand. */
  ask(lane: LaneName): Promise<void>
  /** False where there is no page of settings for it. */
  openSettings(lane: LaneName): Promise<boolean>
}

export interface WindowPort {
  hide(): void
  quit(): void
}

export interface BrowserPort {
  /** Opens a page in the candidate's own browser; rejects where none was opened. */
  open(address: string): Promise<void>
}

/** What a host gives the core: Electron's shell, or a test. */
export interface DesktopPorts {
  readonly keyStore: KeyStore
  readonly permissions: PermissionsPort
  readonly window: WindowPort
  readonly browser: BrowserPort
  readonly shell?: ShellSignals | undefined
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface DesktopOptions {
  /** For this program alone; made when it is not there. */
  readonly dataDir: string
  readonly version: string
  readonly platform: NodeJS.Platform
  /** BCP 47, the operating system's. */
  readonly locale: string
  readonly ports: DesktopPorts
  readonly clock?: Clock
  readonly sources?: Sources
  /** Makes the lanes; this machine's own drivers unless told. */
  readonly create?: typeof createLanes
  readonly choices?: DeviceChoices
  /** In place of this machine's, for tests. */
  readonly capture?: CapturePort
  readonly observers?: ObserversPort
  /** Reaches one service, with its certificate checked as the signed policy says. */
  readonly fetchFor?: (server: string) => Fetch
  readonly openLiveFor?: (server: string) => OpenLive
  readonly updates?: UpdateController
  /** The folder of a speech model, for transcripts. */
  readonly speechModel?: string | undefined
  /** How a speech engine is started where a child of this process cannot be. */
  readonly launchSpeech?: LaunchSherpa | undefined
  /** Bound on what is kept unsent. */
  readonly maxBytes?: number
  readonly onTrouble?: (trouble: string) => void
}
