import type { TabLock } from '../session/room.ports.ts'

/** A page that is just being reloaded holds its lock a moment longer. */
const patienceMs = 1_500

/** One tab of this browser for each room (Web Locks API). The lock ends with its tab, however that ends. */
export const createTabLock = (name: string): TabLock => ({
  take: ({ steal, onTaken }) =>
    new Promise((resolve) => {
      let held = false
      const hold = () => {
        held = true
        resolve(true)
        return new Promise<never>(() => {})
      }
      const options = steal ? { steal } : { signal: AbortSignal.timeout(patienceMs) }
      // Rejects when it was not given in time, and also later, when another tab takes it over.
      navigator.locks.request(name, options, hold).catch(() => (held ? onTaken() : resolve(false)))
    }),
})
