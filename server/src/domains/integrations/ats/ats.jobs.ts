import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { deleteInPages } from '../../../kernel/jobs/delete-in-pages.ts'
import { runSync, syncAttempts } from './syncing.service.ts'
import { deleteOldKeysOfAllOrgs } from './syncs.store.ts'

const sync = z.object({ syncId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'ats.sync': z.output<typeof sync>
  }
}

const day = 86_400_000
/** No provider sends again what is older than a fortnight. */
const keptKeys = 30 * day

export const atsJobs = [
  defineJob({
    kind: 'ats.sync',
    payload: sync,
    attempts: syncAttempts,
    // A burst of one organisation leaves places to the jobs of others.
    limit: 4,
    run: (call, { syncId }) => runSync(call, syncId),
  }),
  defineJob({
    kind: 'ats.forget_keys',
    everyMs: day,
    run: (call) => deleteInPages(call, (tx, limit) => deleteOldKeysOfAllOrgs(tx, call.clock.now() - keptKeys, limit)),
  }),
]
