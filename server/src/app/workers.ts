import { createDispatcher } from '../domains/webhooks/webhooks.dispatcher.ts'
import type { Parts } from '../kernel/parts.ts'
import { scheduleJobs } from './job-handlers.ts'

/** A part that works in the background. Tests call `processAll` instead of `start`. */
export interface Worker {
  start(): void
  processAll(): Promise<void>
  stop(signal?: AbortSignal): Promise<void>
}

/** Everything that runs beside the requests: deliveries and jobs. */
export const createWorkers = (app: Parts): Worker => {
  scheduleJobs(app.jobs)
  const parts: readonly Worker[] = [app.jobs, createDispatcher(app)]
  return {
    start: () => {
      for (const part of parts) part.start()
    },
    processAll: async () => {
      for (const part of parts) await part.processAll()
      // What the deliveries asked for, such as a notice to the admins.
      await app.jobs.processAll()
    },
    stop: async (signal) => {
      await Promise.all(parts.map((part) => part.stop(signal)))
    },
  }
}
