import type { ObserverName } from '@integrity/protocol'
import { type Observer, type ObserverPlatform, thisPlatform } from '../../core/observers/types.ts'
import { createDesktopHelper, type DesktopHelper } from '../desktop-helper/desktop-helper.ts'
import type { HelperTopic } from '../desktop-helper/helper-lines.ts'
import { macosHelperCommand } from '../desktop-helper/macos/helper-script.ts'
import { windowsHelperCommand } from '../desktop-helper/windows/helper-script.ts'
import { createClipboardObserver } from './clipboard.ts'
import { createClockObserver } from './clock-jumps.ts'
import { createDevicesObserver } from './devices.ts'
import { createDisplaysObserver } from './displays.ts'
import { createExcludedWindowsObserver } from './excluded-windows.ts'
import { createForegroundObserver } from './foreground.ts'
import { createIdleObserver } from './idle.ts'
import { createInputOriginObserver } from './input-origin.ts'
import { createListenersObserver } from './listeners.ts'
import {
  createDisplayIdentityObserver,
  createHidObserver,
  createOutputDevicesObserver,
  createRemoteSessionObserver,
} from './machine-facts.ts'
import { createNetworkObserver } from './network.ts'
import type { ObserverOptions } from './observer-options.ts'
import { createPictureUnchangedObserver } from './picture-unchanged.ts'
import { createProcessesObserver } from './processes.ts'
import { createScreenLockObserver } from './screen-lock.ts'
import { createSleepObserver } from './sleep.ts'
import { createVirtualMachineObserver } from './virtual-machine.ts'

/** What the long-lived helper looks at: only what nothing else tells. */
export const topicsOf = (platform: ObserverPlatform, shell: ObserverOptions['shell']): HelperTopic[] => {
  if (platform === 'linux') return []
  const always: HelperTopic[] = ['foreground', 'clipboard', 'windows']
  if (platform === 'darwin') return always
  const withoutShell: HelperTopic[] = shell ? [] : ['idle', 'locked', 'asleep']
  return [...always, 'processes', ...withoutShell, ...(shell?.mediaDevices ? [] : (['devices'] as const))]
}

/** The observer that is told of a topic. */
const observerOf: Readonly<Record<HelperTopic, ObserverName>> = {
  foreground: 'foreground',
  clipboard: 'clipboard',
  windows: 'excluded_windows',
  idle: 'idle',
  locked: 'screen_lock',
  asleep: 'sleep',
  processes: 'processes',
  devices: 'devices',
}

const helperOf = ({
  env,
  clock,
  shell,
  windowTitles,
  observersOff = [],
  platform = thisPlatform(),
}: ObserverOptions): DesktopHelper | undefined => {
  const topics = topicsOf(platform, shell).filter((topic) => !observersOff.includes(observerOf[topic]))
  if (topics.length === 0) return undefined
  const command =
    platform === 'darwin' ? macosHelperCommand(topics, windowTitles) : windowsHelperCommand(topics, env, windowTitles)
  return createDesktopHelper({ ...command, env, clock })
}

/**
 * Every observer of the published table that is not off, in its order, on this system. What `shell` tells replaces what a plain program
 * has to ask for; an observer that can see nothing here is there all the same, and says why.
 */
export const createObservers = (given: Omit<ObserverOptions, 'intervalMs'> = {}): Observer[] => {
  const options = { ...given, helper: given.helper ?? helperOf(given) }
  const all = [
    createDisplaysObserver(options),
    createForegroundObserver(options),
    createIdleObserver(options),
    createScreenLockObserver(options),
    createSleepObserver(options),
    createNetworkObserver(options),
    createProcessesObserver(options),
    createVirtualMachineObserver(options),
    createClockObserver(options),
    createDevicesObserver(options),
    createClipboardObserver(options),
    createExcludedWindowsObserver(options),
    createListenersObserver(options),
    createOutputDevicesObserver(options),
    createHidObserver(options),
    createDisplayIdentityObserver(options),
    createRemoteSessionObserver(options),
    createInputOriginObserver(options),
    createPictureUnchangedObserver(options),
  ]
  return all.filter(({ name }) => !given.observersOff?.includes(name))
}
