import type { ObserverName } from '@integrity/protocol'
import type { Observer } from './types.ts'

/** A line in the capability list for what this platform does not show, so that its silence is not read as "nothing happened". */
export const createAbsentObserver = (name: ObserverName, method: string, why: string): Observer => ({
  name,
  version: 1,
  method,
  intervalMs: 0,
  probe: async () => ({ status: 'not_observable', why }),
  start: async () => {
    throw new Error(why)
  },
})
