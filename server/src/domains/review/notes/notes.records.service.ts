import type { SessionRecord } from '../../../kernel/audit/audit.commitments.ts'
import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import { inOnePage } from '../../../kernel/session-records.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { listNoteRecords } from './notes.records.store.ts'

const read = async (reader: Reader, place: SessionPlace, only?: string) =>
  (await listNoteRecords(reader, place, only)).map(({ id, kind, ...value }) => ({ kind, id, value }))

/** The record of a note that was just written. */
export const noteRecord = (
  reader: Reader,
  { id, ...place }: SessionPlace & { readonly id: string },
): Promise<SessionRecord[]> => read(reader, place, id)

export const notesRecords = inOnePage((reader, place) => read(reader, place))
