import * as z from 'zod'
import { inTx } from '../../../kernel/call.ts'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { settleLanes } from './lanes.settling.service.ts'

const settled = z.object({ sessionId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'lanes.settle': z.output<typeof settled>
  }
}

export const lanesJobs = [
  defineJob({
    kind: 'lanes.settle',
    payload: settled,
    run: (call, { sessionId }) => call.db.transact((tx) => settleLanes(inTx(call, tx), sessionId)),
  }),
]
