import type { AppContext } from '../../app/context.ts'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import { signMovedHeads } from './audit.service.ts'

/** Recurring jobs of this domain and how often they run, in milliseconds: `jobs.every(kind, ms)`. */
export const auditSchedule = { 'audit.checkpoints': 3_600_000 } as const

export const auditJobs = (
  app: Pick<AppContext, 'db' | 'keyring' | 'clock'>,
): Record<keyof typeof auditSchedule, JobHandler> => ({
  'audit.checkpoints': async ({ signal }) => {
    await signMovedHeads(app, signal)
  },
})
