import type { JobHandler } from '../../kernel/jobs/jobs.ts'
import { type AuditParts, signMovedHeads } from './audit.service.ts'

export const auditJobs = (app: () => AuditParts): Record<'audit.checkpoint', JobHandler> => ({
  /** Recurring, every hour: signs the head of every chain that moved. */
  'audit.checkpoint': async ({ signal }) => {
    await signMovedHeads(app(), signal)
  },
})
