import { defineJob } from '../../../kernel/jobs/define-job.ts'
import type { Parts } from '../../../kernel/parts.ts'
import { signMovedHeads } from './audit.service.ts'

type SigningParts = Pick<Parts, 'db' | 'audit'>

export const auditJobs = [
  /** Signs the head of every chain that moved. */
  defineJob({
    kind: 'audit.checkpoint',
    everyMs: 3_600_000,
    run: async (call: SigningParts, _payload, { signal }) => {
      await signMovedHeads(call, { signal })
    },
  }),
  /** Signs the head of every chain that nothing was signed of. */
  defineJob({
    kind: 'audit.first_checkpoint',
    everyMs: 60_000,
    run: async (call: SigningParts, _payload, { signal }) => {
      await signMovedHeads(call, { signal, neverSigned: true })
    },
  }),
]
