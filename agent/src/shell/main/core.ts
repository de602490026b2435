import type { KeyStore } from '../../core/spool/key-store.ts'
import type { BrowserPort, PermissionsPort, WindowPort } from '../../desktop/desktop-agent.types.ts'
import type { ShellSignals } from '../../machine/observers/shell-signals.ts'
import type { CapturePages } from '../../machine/page/page-port.ts'
import type { CommandHandlers } from '../../shared/ipc/channels.ts'
import type { Preview, WindowState } from '../../shared/ipc/window-state.ts'

/** What is lost sight of by quitting now. `none`: nothing is going on and nothing is unsent. */
export type QuitQuestion =
  | 'none'
  | {
      readonly unsent: { readonly items: number; readonly events: number; readonly bytes: number }
      readonly recording: boolean
    }

/** The part of the agent's core that the shell uses. The core itself knows nothing of Electron. */
export interface DesktopCore {
  readonly handlers: CommandHandlers
  state(): WindowState
  onState(listener: (state: WindowState) => void): () => void
  onPreview(listener: (preview: Preview) => void): () => void
  /** An `integrity-agent://` link; what is wrong with it becomes a problem of the state. */
  openLink(url: string): Promise<void>
  quitQuestion(): QuitQuestion
  close(): Promise<void>
}

/** What the shell gives the core. */
export interface ShellPorts {
  readonly keyStore: KeyStore
  readonly capturePage: CapturePages
  readonly shell: ShellSignals
  readonly permissions: PermissionsPort
  readonly browser: BrowserPort
  readonly window: WindowPort & {
    /** As `quit`, and the program is opened again. */
    quitAndOpenAgain(): void
  }
}

export interface OpenOptions {
  /** For this program alone; made by the core. */
  readonly dataDir: string
  readonly version: string
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** BCP 47, the operating system's. */
  readonly locale: string
  readonly ports: ShellPorts
  readonly onTrouble: (trouble: string) => void
}

/** Opens the core. It fails when what is unsent cannot be opened, for example because another process holds it. */
export type OpenCore = (options: OpenOptions) => Promise<DesktopCore>
