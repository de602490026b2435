import type { TabLock } from '../session/room.ports.ts'

/** A page that is just being reloaded holds its lock a moment longer, on a busy machine for seconds. */
const patienceMs = 1_500

/** One tab of this browser for each room (Web Locks API). The lock ends with its tab, however that ends. */
export const createTabLock = (name: string): TabLock => {
  let waiting = new AbortController()
  return {
    take: (over, onElsewhere) =>
      new Promise((resolve) => {
        waiting.abort()
        waiting = new AbortController()
        const { signal } = waiting
        const soon = setTimeout(onElsewhere, patienceMs)
        const hold = () => {
          clearTimeout(soon)
          resolve()
          return new Promise<never>(() => {})
        }
        // Rejects when another tab takes it over, and when this one asks again.
        navigator.locks.request(name, over ? { steal: true } : { signal }, hold).catch(() => {
          clearTimeout(soon)
          if (over || !signal.aborted) onElsewhere()
        })
      }),
  }
}
