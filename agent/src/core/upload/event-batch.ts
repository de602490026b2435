import { isAboutRecording } from '@integrity/protocol'
import type { QueuedEvent } from '../spool/types.ts'

/**
 * Those that a refusal of the batch is about: events about the recording itself are taken whatever was agreed to, so it is
 * about the others.
 */
export const refusable = (events: readonly QueuedEvent[]): string[] => {
  const others = events.filter((event) => !isAboutRecording(event.kind))
  return (others.length > 0 ? others : events).map((event) => event.clientId)
}

/** As the contract has it. */
export const toWire = (event: QueuedEvent) => ({
  clientId: event.clientId,
  kind: event.kind,
  observedAt: new Date(event.observedAt).toISOString(),
  monotonicMs: Math.max(0, event.monotonicMs),
  source: event.source,
  // Already JSON: it came out of the spool.
  data: event.data as Record<string, never>,
})
