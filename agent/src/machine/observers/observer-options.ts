import type { ObserverPlatform } from '../../core/observers/types.ts'
import type { Environment } from '../../shared/child-process.ts'
import type { Clock } from '../../shared/clock.ts'
import type { DesktopHelper } from '../desktop-helper/desktop-helper.ts'
import type { PictureLooks } from './picture-looks.ts'
import type { ShellSignals } from './shell-signals.ts'

/** What an observer may use. Everything has a default: this process, this system, no shell. */
export interface ObserverOptions {
  env?: Environment
  clock?: Clock
  platform?: ObserverPlatform
  /** Where the system's files are, instead of `/`. On Linux only. */
  root?: string
  /** The desktop application, when there is one. */
  shell?: ShellSignals
  /** The long-lived helper of macOS and Windows, shared by all observers of one set. */
  helper?: DesktopHelper
  /** The pictures that the camera's lane looks at. */
  pictures?: PictureLooks | undefined
  /** Instead of the published interval. */
  intervalMs?: number
  /** The title of the window in front is recorded as well: the policy asks for it and the candidate agreed. */
  windowTitles?: boolean | undefined
  /** The program or page of the video call that is linked to this session, as it is now. */
  callIn?: (() => string | undefined) | undefined
  /** Observers that the policy has off: they are not made, and the helper does not look at what they alone are told. */
  observersOff?: readonly string[] | undefined
}
