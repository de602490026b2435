import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { Reader } from '../../../platform/db/types.ts'

/** Who was told of a session, when and by what; one of them where it is named. */
export const listInterviewerRecords = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  only?: string,
): Promise<({ id: string } & Record<string, string | number | null>)[]> =>
  reader.all(
    `SELECT interviewer_id AS id, environment, email, name, locale, added_kind AS "addedKind", added_id AS "addedId",
       created_at AS "createdAt", mailed_at AS "mailedAt", calendar_at AS "calendarAt", opened_at AS "openedAt", removed_at AS "removedAt"
     FROM interviewers WHERE org_id = ? AND session_id = ?${only === undefined ? '' : ' AND interviewer_id = ?'}
     ORDER BY created_at, interviewer_id`,
    [orgId, sessionId, ...(only === undefined ? [] : [only])],
  )
