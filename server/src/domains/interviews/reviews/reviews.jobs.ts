import * as z from 'zod'
import { inTx } from '../../../kernel/call.ts'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { settleReview } from './reviews.service.ts'

const settled = z.object({ sessionId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'reviews.settle': z.output<typeof settled>
  }
}

export const reviewsJobs = [
  /** The agent delivers nothing any more. */
  defineJob({
    kind: 'reviews.settle',
    payload: settled,
    run: (call, { sessionId }) => call.db.transact((tx) => settleReview(inTx(call, tx), sessionId)),
  }),
]
