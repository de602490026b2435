import type { EventDataOf } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { EventInput } from './types.ts'

/** What is said of items that went away without reaching the server, a lane at a time. */
export const lossEvent = <Kind extends 'spool.thinned' | 'spool.lost'>(
  kind: Kind,
  data: EventDataOf<Kind>,
  clock: Clock,
): EventInput => ({
  kind,
  observedAt: clock.wallMs(),
  monotonicMs: clock.monotonicMs(),
  source: 'spool',
  data,
})
