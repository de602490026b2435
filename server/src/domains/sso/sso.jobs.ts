import { defineJob } from '../../kernel/jobs/define-job.ts'
import { tidySignIns } from './slo.service.ts'

export const ssoJobs = [defineJob({ kind: 'sso.tidy_sign_ins', everyMs: 60_000, run: (call) => tidySignIns(call) })]
