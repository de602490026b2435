import type { SessionRecord } from '../../../kernel/audit/audit.commitments.ts'
import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import { inOnePage } from '../../../kernel/session-records.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { listMessageRecords, listRequestRecords } from './candidate-requests.records.store.ts'

const read = async (reader: Reader, place: SessionPlace, only?: string) => [
  ...(await listRequestRecords(reader, place, only)).map(
    // Rows from before moments could be named committed to a record without one.
    ({ id, momentId, momentAt, ...value }) =>
      ({ kind: 'request', id, value: momentId === null ? value : { ...value, momentId, momentAt } }) as const,
  ),
  ...(await listMessageRecords(reader, place, only)).map(
    ({ id, statement, ...value }) => ({ kind: statement === 1 ? 'statement' : 'message', id, value }) as const,
  ),
]

/** A request as it stands, with what was written about it last. */
export const requestRecords = async (
  reader: Reader,
  { requestId, ...place }: SessionPlace & { readonly requestId: string },
): Promise<SessionRecord[]> => {
  const [request, ...messages] = await read(reader, place, requestId)
  return [request, messages.at(-1)].filter((record) => record !== undefined)
}

export const candidateRequestsRecords = inOnePage((reader, place) => read(reader, place))
