import { firstForeignEvent } from '../domains/integrity-events/integrity-events.verify.service.ts'
import { firstForeignWords } from '../domains/transcripts/transcripts.verify.service.ts'
import {
  nextSessionOfTrail,
  nextTrailAcrossOrgs,
  recordEntries,
  type SessionPlace,
} from '../kernel/audit/audit.records.store.ts'
import type { Db, Reader } from '../platform/db/types.ts'

export interface RecordFinding extends SessionPlace {
  readonly fault: 'events_changed' | 'words_changed'
  /** Number of the event, or of the change of the transcript, from 1. */
  readonly number: number
}

const checks = [
  ['events_changed', firstForeignEvent],
  ['words_changed', firstForeignWords],
] as const

const places = async function* (reader: Reader, only: string | undefined): AsyncGenerator<SessionPlace> {
  for (let orgId = only ?? (await nextTrailAcrossOrgs(reader, '')); orgId; ) {
    for (let sessionId: string | undefined = ''; ; ) {
      sessionId = await nextSessionOfTrail(reader, { orgId, sessionId })
      if (sessionId === undefined) break
      yield { orgId, sessionId }
    }
    orgId = only === undefined ? await nextTrailAcrossOrgs(reader, orgId) : undefined
  }
}

/** Holds events and words of every session, of all organisations or one, against what the audit trails say was received. */
export const verifyRecords = async (
  { db: { reader } }: { readonly db: Pick<Db, 'reader'> },
  orgId: string | undefined,
  report: (finding: RecordFinding) => void,
): Promise<{ sessions: number; faults: number }> => {
  const sum = { sessions: 0, faults: 0 }
  for await (const place of places(reader, orgId)) {
    sum.sessions += 1
    for (const [fault, firstForeign] of checks) {
      const number = await firstForeign(reader, place)
      if (number === undefined) continue
      // What an erasure took away is not there to be checked; that it was one stands in the trail.
      if ((await recordEntries(reader, place, { action: 'session.erased', after: 0 })).length > 0) continue
      sum.faults += 1
      report({ ...place, fault, number })
    }
  }
  return sum
}
