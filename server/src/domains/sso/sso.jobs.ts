import * as z from 'zod'
import { defineJob } from '../../kernel/jobs/define-job.ts'
import { signOutPasswords } from './requiring.service.ts'
import { tidySignIns } from './slo.service.ts'

const ofOrg = z.object({ orgId: z.string() })

declare module '../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'sso.end_password_sign_ins': z.output<typeof ofOrg>
  }
}

export const ssoJobs = [
  defineJob({ kind: 'sso.tidy_sign_ins', everyMs: 60_000, run: (call) => tidySignIns(call) }),
  defineJob({
    kind: 'sso.end_password_sign_ins',
    payload: ofOrg,
    run: (call, { orgId }) => signOutPasswords(call, orgId),
  }),
]
