import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How long a client should hold back, from how late this process's own timers are. */
export interface Load {
  /** Milliseconds; 0 while the process keeps up. */
  backoffMs(): number
  stop(): void
}

/** Delays below this are an ordinary busy moment. */
const calmMs = 100
const longestMs = 60_000

export const measureLoad = (): Load => {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let backoff = 0
  // Reading the histogram costs more than a request should pay: once a second is often enough.
  const timer = setInterval(() => {
    const lateMs = delay.mean / 1e6
    backoff = Number.isFinite(lateMs) && lateMs > calmMs ? Math.min(longestMs, Math.round(lateMs * 20)) : 0
    delay.reset()
  }, 1000)
  timer.unref()
  return {
    backoffMs: () => backoff,
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}
