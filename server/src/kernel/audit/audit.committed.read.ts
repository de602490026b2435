import type { AuditAction } from '@integrity/protocol'
import type { Reader } from '../../platform/db/types.ts'
import { committingEntries } from './audit.commitments.store.ts'
import { Committed } from './audit.committed.ts'
import type { SessionPlace } from './audit.records.store.ts'

/** What a session's trail commits to; of `only` some actions where what others say does not matter. */
export const readCommitted = async (
  reader: Reader,
  place: SessionPlace,
  only?: readonly AuditAction[],
): Promise<Committed> => {
  const committed = new Committed(place.sessionId)
  for (const entry of await committingEntries(reader, place, only)) committed.take(entry)
  return committed
}
