import type { Environment } from '../shared/child-process.ts'
import type { Clock } from '../shared/clock.ts'
import { createClockObserver } from './clock-jumps.ts'
import { createDevicesObserver } from './devices.ts'
import { createDisplaysObserver } from './displays.ts'
import { createForegroundObserver } from './foreground.ts'
import { createIdleObserver } from './idle.ts'
import { createNetworkObserver } from './network.ts'
import { createAbsentObserver } from './not-observable.ts'
import { createProcessesObserver } from './processes.ts'
import type { Observer } from './types.ts'
import { createVirtualMachineObserver } from './virtual-machine.ts'

/**
 * The observers that need no Electron. The shell replaces `screen_lock`, which only it can see
 * (`powerMonitor`), by one of the same name.
 */
export const createObservers = ({ env, clock }: { env?: Environment; clock?: Clock } = {}): Observer[] => [
  createDisplaysObserver({ env }),
  createForegroundObserver({ env }),
  createIdleObserver({ env }),
  createNetworkObserver(),
  createProcessesObserver(),
  createVirtualMachineObserver(),
  createClockObserver({ clock }),
  createDevicesObserver({ env }),
  createAbsentObserver(
    'screen_lock',
    'none',
    'without the desktop application, this platform does not tell of locking',
  ),
]
