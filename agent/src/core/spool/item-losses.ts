import type { EventDataOf } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { EventInput } from './types.ts'

/** The event that reports items of one lane which were lost before they reached the server. */
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
