import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { Reads } from '../../../kernel/call.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { isLedgerOf } from '../lanes/lanes.verify.service.ts'
import { eventsOfLedger, isAnyUncommitted } from './integrity-events.verify.store.ts'

/** Whether all events of a session are bound to the trail, so that gaps and coverage can be held against them. */
export const tellsOfGaps = async ({ reader, scope }: Reads, sessionId: string): Promise<boolean> =>
  !(await isAnyUncommitted(reader, { orgId: scope.orgId, sessionId }))

/**
 * Whether the gaps and the coverage of a session are other than its events tell. The events are bound to the audit trail; a
 * session of which some are not, as an earlier version took them, is not asked.
 */
export const isLedgerForeign = async (reader: Reader, place: SessionPlace): Promise<boolean> => {
  if (await isAnyUncommitted(reader, place)) return false
  for (let before: number | undefined; ; ) {
    const events = await eventsOfLedger(reader, place)
    if (await isLedgerOf(reader, { place, events })) return false
    // More of them may have arrived between the two reads.
    if (events.length === before) return true
    before = events.length
  }
}
