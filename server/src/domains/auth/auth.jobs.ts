import { defineJob } from '../../kernel/jobs/define-job.ts'
import { purgeAttempts } from './login.service.ts'
import { purgeSignIns } from './sign-ins.service.ts'

export const authJobs = [
  defineJob({
    kind: 'auth.purge',
    everyMs: 3_600_000,
    run: async (call) => {
      await purgeSignIns(call)
      await purgeAttempts(call)
    },
  }),
]
