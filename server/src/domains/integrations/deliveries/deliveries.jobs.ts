import { expireEvents } from '../../../kernel/expire-events.ts'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { expireDeliveries } from './deliveries.expire.service.ts'
import { firstEventWithDelivery } from './deliveries.expire.store.ts'

const hour = 3_600_000
const day = 24 * hour

export const deliveriesJobs = [
  /** The log of what was sent. */
  defineJob({
    kind: 'deliveries.expire',
    everyMs: hour,
    run: (call, _, { signal }) =>
      expireDeliveries(call, { before: call.clock.now() - call.config.eventDays * day, signal }),
  }),
  /** What was published: an event stays as long as a delivery of it, which may be sent again, is in a log. */
  defineJob({
    kind: 'events.expire',
    everyMs: hour,
    run: (call, _, { signal }) =>
      expireEvents(call, call.clock.now() - call.config.eventDays * day, {
        neededFrom: ({ reader, scope }) => firstEventWithDelivery(reader, scope),
        signal,
      }),
  }),
]
