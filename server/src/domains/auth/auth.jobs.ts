import type { JobHandler } from '../../kernel/jobs/jobs.ts'
import type { Parts } from '../../kernel/parts.ts'
import { purgeAttempts } from './login.service.ts'
import { purgeSignIns } from './sign-ins.service.ts'

/** Job kinds of this domain. The context is asked for when a job runs: it holds the jobs itself. */
export const authJobs = (app: () => Parts): Readonly<Record<string, JobHandler>> => ({
  'auth.purge': async () => {
    await purgeSignIns(app())
    await purgeAttempts(app())
  },
})
