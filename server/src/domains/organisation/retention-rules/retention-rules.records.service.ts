import type { SessionRecord } from '../../../kernel/audit/audit.commitments.ts'
import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import { inOnePage } from '../../../kernel/session-records.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { findWindowRecord, listHoldRecords } from './holds.records.store.ts'
import { findRules } from './retention-rules.store.ts'

const readHolds = async (reader: Reader, place: SessionPlace, only?: number) =>
  (await listHoldRecords(reader, place, only)).map(
    ({ position, ...value }) => ({ kind: 'hold', id: String(position), value }) as const,
  )

const readWindow = async (reader: Reader, place: SessionPlace) => {
  const value = await findWindowRecord(reader, place)
  return value ? [{ kind: 'window', id: place.sessionId, value } as const] : []
}

/** The window that was just opened. */
export const windowRecord = (reader: Reader, place: SessionPlace): Promise<SessionRecord[]> => readWindow(reader, place)

/** What a placing or a releasing writes: an entry of the history, if it changed anything, and the mark. */
export const holdRecords = async (
  reader: Reader,
  { position, on, ...place }: SessionPlace & { readonly position: number | null; readonly on: boolean },
): Promise<SessionRecord[]> => [
  ...(position === null ? [] : await readHolds(reader, place, position)),
  { kind: 'hold_mark', id: place.sessionId || place.orgId, value: on ? { on: true } : null },
]

/** The history of a session's holds and its window; of an empty session the organisation's holds, with their mark. */
export const retentionRecords = inOnePage(async (reader, place) => [
  ...(await readHolds(reader, place)),
  ...(place.sessionId === '' ? [] : await readWindow(reader, place)),
  ...(place.sessionId === '' && (await findRules(reader, place.orgId)).held === 1
    ? [{ kind: 'hold_mark', id: place.orgId, value: { on: true } } as const]
    : []),
])
