import type { SessionRecord } from '../../../kernel/audit/audit.commitments.ts'
import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import { inOnePage } from '../../../kernel/session-records.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { listInterviewerRecords } from './interviewers.records.store.ts'

const read = async (reader: Reader, place: SessionPlace, only?: string) =>
  (await listInterviewerRecords(reader, place, only)).map(
    // Whoever was not taken off stands there as before they could be.
    ({ id, removedAt, ...value }) =>
      ({ kind: 'interviewer', id, value: removedAt === null ? value : { ...value, removedAt } }) as const,
  )

/** What stands of an interviewer now. */
export const interviewerRecord = (
  reader: Reader,
  { id, ...place }: SessionPlace & { readonly id: string },
): Promise<SessionRecord[]> => read(reader, place, id)

export const interviewersRecords = inOnePage((reader, place) => read(reader, place))
