import type { Reader } from '../platform/db/types.ts'
import type { SessionRecord } from './audit/audit.commitments.ts'
import type { SessionPlace } from './audit/audit.records.store.ts'

/** A record as it stands in the rows. Undefined: it is there, and an erasure took what it said. */
export interface FoundRecord extends Omit<SessionRecord, 'value'> {
  readonly value: NonNullable<SessionRecord['value']> | undefined
}

/** What a domain keeps of a session that its audit rows commit to. */
export interface RecordSource {
  /** Every one that stands there, page by page. `isErased`: of an erased session, of which some kinds are one record. */
  list(reader: Reader, place: SessionPlace, isErased: boolean): AsyncIterable<readonly FoundRecord[]>
}

/** A domain whose records of a session fit in one page. */
export const inOnePage = (
  read: (reader: Reader, place: SessionPlace, isErased: boolean) => Promise<readonly FoundRecord[]>,
): RecordSource => ({
  async *list(reader, place, isErased) {
    yield await read(reader, place, isErased)
  },
})

/** What an erasure has left of a session, for the row that says so. */
export const leftRecords = async (
  sources: readonly RecordSource[],
  reader: Reader,
  place: SessionPlace,
): Promise<SessionRecord[]> => {
  const left: SessionRecord[] = []
  for (const source of sources)
    for await (const page of source.list(reader, place, true))
      for (const { value, ...record } of page) if (value) left.push({ ...record, value })
  return left
}
