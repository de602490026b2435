import { aborted, type Source } from '../../core/observers/sampled-observer.ts'
import type { ShellEvent, ShellSignals } from './shell-signals.ts'

/**
 * Reads at the start and after each of these events; reads one after the other, and once more when an event came
 * meanwhile, so that the last state is never missed.
 */
export const shellSource =
  <State>(shell: ShellSignals, events: readonly ShellEvent[], read: () => Promise<State>): Source<State> =>
  async (see, signal) => {
    const failed = Promise.withResolvers<never>()
    failed.promise.catch(() => undefined)
    let stale = true
    let reading = false
    const refresh = async (): Promise<void> => {
      stale = true
      if (reading) return
      reading = true
      try {
        while (stale && !signal.aborted) {
          stale = false
          see(await read())
        }
      } catch (error) {
        failed.reject(error)
      } finally {
        reading = false
      }
    }
    const offs = events.map((event) => shell.on(event, () => void refresh()))
    try {
      await refresh()
      await Promise.race([failed.promise, aborted(signal)])
    } finally {
      for (const off of offs) off()
    }
  }
