import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { askWhereDue, stampCheckpoint } from './stamping.service.ts'
import { listAuthoritiesOfAllOrgs } from './timestamps.store.ts'

const asked = z.object({ size: z.number() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'timestamps.ask': z.output<typeof asked>
  }
}

const pageRows = 100

export const timestampsJobs = [
  /** Asks for time stamps of new checkpoints, soon after they were signed. */
  defineJob({
    kind: 'timestamps.due',
    everyMs: 300_000,
    run: async (call, _, { signal }) => {
      for (let after = ''; ; ) {
        const page = await listAuthoritiesOfAllOrgs(call.reader, after, pageRows)
        for (const row of page) {
          signal.throwIfAborted()
          after = row.orgId
          await askWhereDue(call, row)
        }
        if (page.length < pageRows) return
      }
    },
  }),
  defineJob({ kind: 'timestamps.ask', payload: asked, run: (call, { size }) => stampCheckpoint(call, size) }),
]
