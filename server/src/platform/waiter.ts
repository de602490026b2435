import type { Clock } from './clock.ts'

export interface Waiter {
  /** Ends the current wait, or the next one when none is running: a wake is never lost between two waits. */
  wake(): void
  /** Resolves at a wake, after `ms`, or when the signal aborts; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** A sleep that can be cut short, for loops that poll as a safety net and are normally woken. */
export const createWaiter = (clock: Clock): Waiter => {
  let woken = false
  let current: AbortController | undefined
  return {
    wake() {
      woken = true
      current?.abort()
    },
    async wait(ms, signal) {
      if (!woken && !signal.aborted) {
        const controller = new AbortController()
        const stop = () => controller.abort()
        current = controller
        signal.addEventListener('abort', stop, { once: true })
        await clock.sleep(ms, controller.signal).catch(() => undefined)
        signal.removeEventListener('abort', stop)
        current = undefined
      }
      woken = false
    },
  }
}
