import { setTimeout as delay } from 'node:timers/promises'

const stepMs = 100

/**
 * So long, of the time in which this process runs: one that stood still itself, or was given no processor, has not read an answer
 * that may be there, and a single timer would end before it is read. Ends early where `signal` aborts; keeps no process alive.
 */
export const awake = async (ms: number, signal: AbortSignal): Promise<void> => {
  for (let left = ms; left > 0 && !signal.aborted; left -= stepMs)
    await delay(Math.min(stepMs, left), undefined, { ref: false })
}
