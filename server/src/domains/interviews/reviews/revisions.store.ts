import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { RevisionRow } from './reviews.types.ts'

const columns = `r.revision, r.sha256, r.statement, r.signed_off_at AS "signedOffAt", r.signer_id AS "signerId",
  r.signer_name AS "signerName", r.signer_role AS "signerRole", t.at AS "staleAt",
  t.cause AS "staleCause"`
const tables = `report_revisions r LEFT JOIN report_staleness t
  ON t.org_id = r.org_id AND t.session_id = r.session_id AND t.revision = r.revision`
const ofSession = 'r.org_id = ? AND r.session_id = ? AND r.environment = ?'

export const findNewestRevision = (reader: Reader, scope: Scope, sessionId: string): Promise<RevisionRow | undefined> =>
  reader.get<RevisionRow>(`SELECT ${columns} FROM ${tables} WHERE ${ofSession} ORDER BY r.revision DESC LIMIT 1`, [
    scope.orgId,
    sessionId,
    scope.environment,
  ])

/** One revision with its document. */
export const findRevision = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  revision: number,
): Promise<(RevisionRow & { readonly document: string }) | undefined> =>
  reader.get(`SELECT ${columns}, r.document FROM ${tables} WHERE ${ofSession} AND r.revision = ?`, [
    ...[scope.orgId, sessionId, scope.environment],
    revision,
  ])

export interface NewRevision extends Omit<RevisionRow, 'staleAt' | 'staleCause'> {
  readonly sessionId: string
  /** Canonical JSON. */
  readonly document: string
}

/** Call with the session locked. */
export const insertRevision = async (tx: Tx, scope: Scope, revision: NewRevision): Promise<void> => {
  const { orgId, environment } = scope
  const { sessionId } = revision
  await tx.run(
    `INSERT INTO report_revisions (org_id, session_id, revision, environment, document, sha256, statement, signed_off_at, signer_id,
       signer_name, signer_role)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      orgId,
      sessionId,
      revision.revision,
      environment,
      revision.document,
      revision.sha256,
      revision.statement,
      revision.signedOffAt,
      revision.signerId,
      revision.signerName,
      revision.signerRole,
    ],
  )
}

/** Whether it was not stale before: its key lets one row in. */
export const insertStaleness = async (
  tx: Tx,
  scope: Scope,
  { sessionId, revision, at, cause }: { sessionId: string; revision: number; at: number; cause: string },
): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO report_staleness (org_id, session_id, revision, at, cause) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [scope.orgId, sessionId, revision, at, cause],
  )
  return changes === 1
}
