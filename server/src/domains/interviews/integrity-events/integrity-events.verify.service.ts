import { type RecordEntry, recordEntries, type SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import { rangeOf } from '../../../kernel/audit/audit.records.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { eventsHash } from './integrity-events.binding.model.ts'
import { eventsBetween } from './integrity-events.store.ts'

const action = 'session.events_received'

/** Whether what one batch brought is what its row commits to. A row from before there were commitments says nothing. */
const holds = async (reader: Reader, place: SessionPlace, entry: RecordEntry, next: number): Promise<boolean> => {
  const range = rangeOf(entry)
  if (!range) return true
  if (range.first !== next) return false
  if (entry.payloadHash === null) return true
  const rows = await eventsBetween(reader, place, range)
  const dense =
    rows.length === range.last - range.first + 1 && rows.every(({ position }, n) => position === range.first + n)
  return dense && eventsHash(place, range.first, rows) === entry.payloadHash
}

/**
 * The number of the first event of a session that is not what the audit trail says was received: altered, missing, or one
 * more than it knows of. Those that arrive meanwhile make no difference.
 */
export const firstForeignEvent = async (reader: Reader, place: SessionPlace): Promise<number | undefined> => {
  let next = 1
  for (let after = 0; ; ) {
    const entries = await recordEntries(reader, place, { action, after })
    for (const entry of entries) {
      if (!(await holds(reader, place, entry, next))) return next
      next = (rangeOf(entry)?.last ?? next - 1) + 1
      after = entry.seq
    }
    const [beyond] = await eventsBetween(reader, place, { first: next, last: next })
    if (!beyond) return undefined
    // Their row was written with them, so it is there by now.
    if ((await recordEntries(reader, place, { action, after })).length === 0) return next
  }
}
