import { countTombstones } from '../domains/recording/evidence/evidence.records.service.ts'
import { findSalt } from '../kernel/audit/audit.commitments.store.ts'
import { commitmentOf } from '../kernel/audit/audit.commitments.ts'
import { readCommitted } from '../kernel/audit/audit.committed.read.ts'
import type { Committed } from '../kernel/audit/audit.committed.ts'
import type { SessionPlace } from '../kernel/audit/audit.records.store.ts'
import type { FoundRecord, RecordSource } from '../kernel/session-records.ts'
import type { Reader } from '../platform/db/types.ts'

export type RecordFault =
  /** It says something else than the trail commits to. */
  | 'record_changed'
  /** The trail knows of none like it. */
  | 'record_added'
  /** The trail says that it was written, and it is not there. */
  | 'record_removed'
  /** The same of evidence. */
  | 'removed'
  /** Evidence that is said to be erased, of which the trail knows no erasure. */
  | 'erasure_not_recorded'
  /** What the trail's rows committed to, or its salt, was taken away. */
  | 'commitments_removed'

interface CommittedFinding {
  readonly fault: RecordFault
  /** Kind and id of what it is about. */
  readonly record: string
}

const named = ({ kind, id }: { kind: string; id: string }): string => `${kind} ${id}`

const faultOf = (committed: Committed, salt: string | undefined, record: FoundRecord): RecordFault | undefined => {
  const said = committed.of(record)
  if (!committed.find(record)) return 'record_added'
  const { value } = record
  // Without a salt nothing can be held against anything, which is a finding of its own.
  if (!said || value === undefined || salt === undefined) return undefined
  return said.hash === commitmentOf(salt, { ...record, value }) ? undefined : 'record_changed'
}

interface Round {
  readonly last: number
  readonly found: readonly CommittedFinding[]
}

const once = async (reader: Reader, sources: readonly RecordSource[], place: SessionPlace): Promise<Round> => {
  const committed = await readCommitted(reader, place)
  const salt = await findSalt(reader, place)
  const found: CommittedFinding[] = []
  const lost = committed.lostAt !== undefined || (salt === undefined && committed.isAnySaid())
  if (lost) found.push({ fault: 'commitments_removed', record: `row ${committed.lostAt ?? committed.last}` })
  for (const source of sources)
    for await (const page of source.list(reader, place, committed.isErased))
      for (const record of page) {
        const fault = faultOf(committed, salt, record)
        if (fault) found.push({ fault, record: named(record) })
      }
  for (const record of committed.missing())
    if (record.kind === 'evidence') found.push({ fault: 'removed', record: named(record) })
    else if (record.kind !== 'evidence_said') found.push({ fault: 'record_removed', record: named(record) })
  const tombstones = await countTombstones(reader, place)
  if (!committed.isErased && tombstones > committed.erasedObjects)
    found.push({ fault: 'erasure_not_recorded', record: `evidence of ${place.sessionId}` })
  return { last: committed.last, found }
}

/**
 * What people read of a session and does not stand there as its trail says; with an empty session, of the organisation. What
 * is written meanwhile makes no difference.
 */
export const foreignRecords = async (
  reader: Reader,
  sources: readonly RecordSource[],
  place: SessionPlace,
): Promise<readonly CommittedFinding[]> => {
  for (let before: number | undefined; ; ) {
    const { last, found } = await once(reader, sources, place)
    if (found.length === 0 || last === before) return found
    before = last
  }
}
