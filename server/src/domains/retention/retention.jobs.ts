import * as z from 'zod'
import { defineJob } from '../../kernel/jobs/define-job.ts'
import { mailAttempts } from '../../platform/mail/mail.ts'
import { addressesOfHolders } from '../people/people.service.ts'
import { remindOfDue } from './overdue.service.ts'
import { dueLetter } from './retention.texts.ts'

const counts = z.object({ soon: z.number(), overdue: z.number(), overdueObjects: z.number() })

declare module '../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'retention.mail': z.output<typeof counts>
  }
}

export const retentionJobs = [
  defineJob({
    kind: 'retention.remind',
    everyMs: 24 * 3_600_000,
    run: (call, _, { signal }) => remindOfDue(call, signal),
  }),
  defineJob({
    kind: 'retention.mail',
    payload: counts,
    attempts: mailAttempts,
    run: async (call, due, { id }) => {
      const to = await addressesOfHolders(call, { orgId: call.scope.orgId, permission: 'retention.manage' })
      if (to.length > 0) await call.mail.send({ id, to, ...dueLetter(call.scope.orgId, due) })
    },
  }),
]
