import type { TimePort } from '@integrity/shared-ui/session/time-port'

/** Timers that keep their time in the background. `now` is the server's time. */
export const createBrowserTime = (now: () => number): TimePort => {
  const callbacks = new Map<number, () => void>()
  const worker = new Worker(new URL('./ticker.worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<number>) => {
    const callback = callbacks.get(data)
    callbacks.delete(data)
    callback?.()
  })
  let made = 0
  return {
    now,
    random: Math.random,
    after(ms, callback) {
      made += 1
      const id = made
      callbacks.set(id, callback)
      worker.postMessage({ id, ms })
      return () => callbacks.delete(id)
    },
  }
}
