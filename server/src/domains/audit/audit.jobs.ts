import { defineJob } from '../../kernel/jobs/define-job.ts'
import { type AuditParts, signMovedHeads } from './audit.service.ts'

export const auditJobs = [
  /** Signs the head of every chain that moved. */
  defineJob({
    kind: 'audit.checkpoint',
    everyMs: 3_600_000,
    run: async (call: AuditParts, _payload, { signal }) => {
      await signMovedHeads(call, signal)
    },
  }),
]
