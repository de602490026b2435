import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { mailAttempts } from '../../../platform/mail/mail.ts'
import { tellHolders } from '../../organisation/people/telling.service.ts'
import { remindOfDue } from './overdue.service.ts'
import { dueLetter } from './retention.messages.ts'

const counts = z.object({ soon: z.number(), overdue: z.number(), overdueObjects: z.number() })

declare module '../../../kernel/jobs.types.ts' {
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
    run: (call, due, { id }) => {
      const { orgId } = call.scope
      return tellHolders(call, {
        id,
        orgId,
        permission: 'retention.manage',
        letterIn: (locale) => dueLetter(locale, { orgId, ...due }),
      })
    },
  }),
]
