import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { Reader } from '../../../platform/db/types.ts'

type Value = Record<string, string | number | null>

/** Where the review of a session stands. Not its readiness, which follows from the session. */
export const findReviewRecord = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
): Promise<({ id: string } & Value) | undefined> =>
  reader.get(
    `SELECT review_id AS id, environment, state, assignee_id AS "assigneeId", opened_at AS "openedAt",
       ended_at AS "endedAt", settles_at AS "settlesAt", taken_at AS "takenAt", completed_at AS "completedAt"
     FROM reviews WHERE org_id = ? AND session_id = ?`,
    [orgId, sessionId],
  )

/** Each sign-off with its document, oldest first; one of them where it is named. */
export const listSignOffRecords = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  only?: number,
): Promise<({ revision: number; document: string } & Value)[]> =>
  reader.all(
    `SELECT revision, environment, document, sha256, statement, signed_off_at AS "signedOffAt", signer_id AS "signerId",
       signer_name AS "signerName", signer_role AS "signerRole"
     FROM report_revisions WHERE org_id = ? AND session_id = ?${only === undefined ? '' : ' AND revision = ?'}
     ORDER BY revision`,
    [orgId, sessionId, ...(only === undefined ? [] : [only])],
  )

export const listStalenessRecords = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
): Promise<({ revision: number } & Value)[]> =>
  reader.all('SELECT revision, at, cause FROM report_staleness WHERE org_id = ? AND session_id = ? ORDER BY revision', [
    orgId,
    sessionId,
  ])
