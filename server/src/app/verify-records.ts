import { isLedgerForeign } from '../domains/interviews/integrity-events/integrity-events.lanes-verify.service.ts'
import { firstForeignEvent } from '../domains/interviews/integrity-events/integrity-events.verify.service.ts'
import { firstForeignWords } from '../domains/review/transcripts/transcripts.verify.service.ts'
import {
  nextSessionOfTrail,
  nextTrailAcrossOrgs,
  recordEntries,
  type SessionPlace,
} from '../kernel/audit/audit.records.store.ts'
import type { Needs } from '../kernel/call.ts'
import type { Db, Reader } from '../platform/db/types.ts'
import { foreignRecords, type RecordFault } from './verify-committed.ts'

export interface RecordFinding extends SessionPlace {
  readonly fault: 'events_changed' | 'words_changed' | 'lanes_changed' | RecordFault
  /** Of events and words: number of the event, or of the change of the transcript, from 1. */
  readonly number?: number
  /** Of anything else: what it is, as its kind and id. */
  readonly record?: string
}

const numbered = [
  ['events_changed', firstForeignEvent],
  ['words_changed', firstForeignWords],
] as const

/** Each organisation, as an empty session, and the sessions that its trail tells of. */
const places = async function* (reader: Reader, only: string | undefined): AsyncGenerator<SessionPlace> {
  for (let orgId = only ?? (await nextTrailAcrossOrgs(reader, '')); orgId; ) {
    for (let sessionId: string | undefined = ''; sessionId !== undefined; ) {
      yield { orgId, sessionId }
      sessionId = await nextSessionOfTrail(reader, { orgId, sessionId })
    }
    orgId = only === undefined ? await nextTrailAcrossOrgs(reader, orgId) : undefined
  }
}

const isErased = async (reader: Reader, place: SessionPlace): Promise<boolean> =>
  (await recordEntries(reader, place, { action: 'session.erased', after: 0 })).length > 0

/** What was received. What an erasure took away is not there to be checked; that it was one stands in the trail. */
const foreignReceived = async (
  reader: Reader,
  place: SessionPlace,
): Promise<Omit<RecordFinding, keyof SessionPlace>[]> => {
  const found: Omit<RecordFinding, keyof SessionPlace>[] = []
  for (const [fault, firstForeign] of numbered) {
    const number = await firstForeign(reader, place)
    if (number !== undefined) found.push({ fault, number })
  }
  if (await isLedgerForeign(reader, place)) found.push({ fault: 'lanes_changed', record: 'gaps or coverage' })
  return found.length > 0 && (await isErased(reader, place)) ? [] : found
}

/** Holds what is read of every session, of all organisations or one, against what the audit trails say was received and written. */
export const verifyRecords = async (
  { db: { reader }, recordSources }: { readonly db: Pick<Db, 'reader'> } & Needs<'recordSources'>,
  orgId: string | undefined,
  report: (finding: RecordFinding) => void,
): Promise<{ sessions: number; faults: number }> => {
  const sum = { sessions: 0, faults: 0 }
  for await (const place of places(reader, orgId)) {
    const ofSession = place.sessionId !== ''
    if (ofSession) sum.sessions += 1
    const found = [
      ...(ofSession ? await foreignReceived(reader, place) : []),
      ...(await foreignRecords(reader, recordSources, place)),
    ]
    sum.faults += found.length
    for (const finding of found) report({ ...place, ...finding })
  }
  return sum
}

const words: Readonly<Record<RecordFinding['fault'], string>> = {
  events_changed: 'its events are not those that the audit trail says were received',
  words_changed: 'its words are not those that the audit trail says were received',
  lanes_changed: 'its gaps or its coverage are not those that its events tell of',
  record_changed: 'says something else than the audit trail commits to',
  record_added: 'is not in the audit trail',
  record_removed: 'is gone, and the audit trail says that it was written',
  removed: 'is gone, and the audit trail says that it was stored',
  erasure_not_recorded: 'is said to be erased, and the audit trail knows of no such erasure',
  commitments_removed: 'what the audit trail commits to, or its salt, was taken away',
}

/** A finding as an operator reads it. */
export const recordFindingText = ({ orgId, sessionId, fault, number, record }: RecordFinding): string => {
  const place = `${orgId} ${sessionId || 'itself'}`
  if (number !== undefined) return `${place}: ${words[fault]}, from number ${number} on (${fault})`
  return `${place}: ${record}: ${words[fault]} (${fault})`
}
