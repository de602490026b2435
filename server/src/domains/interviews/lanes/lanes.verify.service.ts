import { createHash } from 'node:crypto'
import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import { inOnePage } from '../../../kernel/session-records.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { type Reports, toldBy } from './lanes.ledger.service.ts'
import { type Ledger, saysTheSame } from './lanes.ledger-compare.model.ts'
import { readLaneReport } from './lanes.service.ts'
import { listGaps, listWindows } from './lanes.store.ts'

/** An event as it is stored, of a kind that the ledger reads. */
export interface LaneEvent {
  readonly clientId: string
  readonly kind: string
  readonly observedAt: number
  /** JSON. */
  readonly data: string
}

const ledgerOf = async (reader: Reader, { orgId, sessionId }: SessionPlace): Promise<Ledger> => ({
  gaps: await listGaps(reader, { orgId }, sessionId),
  windows: await listWindows(reader, { orgId }, sessionId),
})

const reportsOf = (events: readonly LaneEvent[]): Reports =>
  events.map(({ observedAt, data, ...event }, index) =>
    readLaneReport(
      { ...event, data: JSON.parse(data) as unknown, observedAt: new Date(observedAt).toISOString() },
      index,
    ),
  )

/** Whether the gaps and windows that are kept of a session are those that its events tell of. */
export const isLedgerOf = async (
  reader: Reader,
  { place, events }: { readonly place: SessionPlace; readonly events: readonly LaneEvent[] },
): Promise<boolean> => {
  const kept = await ledgerOf(reader, place)
  try {
    return saysTheSame(kept, toldBy(reportsOf(events)))
  } catch {
    // Events that were changed to what no agent could have sent.
    return false
  }
}

/** The lane records of an erased session, whose events no longer have their data. */
export const lanesRecords = inOnePage(async (reader, place, isErased) => {
  if (!isErased) return []
  const { gaps, windows } = await ledgerOf(reader, place)
  if (gaps.length + windows.length === 0) return []
  const sha256 = createHash('sha256')
    .update(JSON.stringify([gaps, windows]))
    .digest('hex')
  const value = { gaps: gaps.length, windows: windows.length, sha256 }
  return [{ kind: 'left_of_lanes', id: place.sessionId, value } as const]
})
