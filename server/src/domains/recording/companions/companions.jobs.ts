import * as z from 'zod'
import { inTx } from '../../../kernel/call.ts'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { lookAfterPhone } from './presence.service.ts'
import { tellOfPhone } from './telling.service.ts'

const watched = z.object({ companionId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'companions.watch': z.output<typeof watched>
    'companions.tell': z.output<typeof watched>
  }
}

export const companionsJobs = [
  defineJob({
    kind: 'companions.watch',
    payload: watched,
    run: (call, { companionId }) => call.db.transact((tx) => lookAfterPhone(inTx(call, tx), companionId)),
  }),
  defineJob({
    kind: 'companions.tell',
    payload: watched,
    run: (call, { companionId }) => call.db.transact((tx) => tellOfPhone(inTx(call, tx), companionId)),
  }),
]
