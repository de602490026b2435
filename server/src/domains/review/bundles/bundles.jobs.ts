import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { expireBundles } from './bundles.erase.service.ts'

export const bundlesJobs = [
  /** Takes bundles away whose time is over. */
  defineJob({ kind: 'bundles.expire', everyMs: 3_600_000, run: expireBundles }),
]
