import {
  createDispatcher,
  type DispatcherOptions,
} from '../domains/integrations/deliveries/deliveries.dispatcher.worker.ts'
import { createJobWorker, type JobWorkerOptions } from '../kernel/jobs/job-worker.ts'
import type { Parts } from '../kernel/parts.ts'
import { jobsOfRole } from './jobs.ts'

/** A part that works in the background. Tests call `processAll` instead of `start`. */
export interface Worker {
  start(): void
  processAll(): Promise<void>
  stop(signal?: AbortSignal): Promise<void>
}

export interface Workers extends Worker {
  readonly jobs: Worker
}

/** What is not as usual: how long others wait for a process that is not heard of. */
export interface WorkersOptions {
  readonly jobs?: Pick<JobWorkerOptions, 'leaseMs'>
  readonly deliveries?: Pick<DispatcherOptions, 'timeoutMs' | 'leaseMarginMs'>
}

/** Everything that runs beside the requests: deliveries and jobs. */
export const createWorkers = (app: Parts, options: WorkersOptions = {}): Workers => {
  const jobs = createJobWorker(app, {
    ...options.jobs,
    definitions: jobsOfRole(app.config.role),
    processId: app.newId('prc'),
    onRun: (kind, outcome, seconds) => app.metrics.job(kind, outcome, seconds),
  })
  const lastSeen: Worker = {
    start: () => undefined,
    processAll: () => app.lastSeen.settled(),
    stop: () => app.lastSeen.settled(),
  }
  const behind = [lastSeen, app.recentRequests]
  const parts: readonly Worker[] = [app.shared.presence, jobs, createDispatcher(app, options.deliveries), ...behind]
  return {
    jobs,
    start: () => {
      for (const part of parts) part.start()
    },
    processAll: async () => {
      for (const part of parts) await part.processAll()
      // What the deliveries asked for, such as a notice to the admins.
      await jobs.processAll()
    },
    stop: async (signal) => {
      await Promise.all(parts.map((part) => part.stop(signal)))
    },
  }
}
