import * as z from 'zod'
import { inTx } from '../../kernel/call.ts'
import { defineJob } from '../../kernel/jobs/define-job.ts'
import { lookAfterPhone } from './presence.service.ts'

const watched = z.object({ companionId: z.string() })

declare module '../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'companions.watch': z.output<typeof watched>
  }
}

export const companionsJobs = [
  defineJob({
    kind: 'companions.watch',
    payload: watched,
    run: (call, { companionId }) => call.db.transact((tx) => lookAfterPhone(inTx(call, tx), companionId)),
  }),
]
