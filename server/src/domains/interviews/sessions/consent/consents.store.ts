import type { SessionCredentialKind } from '@integrity/protocol'
import type { Scope } from '../../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../../platform/db/types.ts'

export interface NewConsent {
  readonly id: string
  readonly sessionId: string
  readonly kind: SessionCredentialKind
  readonly version: string
  readonly locale: string
  readonly documentHash: string
  readonly document: string
  /** What the document said. */
  readonly retentionDays: number
  readonly lanes: string
  readonly acceptedAt: number
  readonly credentialId: string
}

/** The record of what was shown and agreed; never changed, a new consent is a new row. */
export const insertConsent = async (tx: Tx, scope: Scope, consent: NewConsent, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO consents (org_id, session_id, consent_id, kind, version, locale, document_hash, document,
       retention_days, lanes, accepted_at, recorded_at, credential_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      scope.orgId,
      consent.sessionId,
      consent.id,
      consent.kind,
      consent.version,
      consent.locale,
      consent.documentHash,
      consent.document,
      consent.retentionDays,
      consent.lanes,
      consent.acceptedAt,
      now,
      consent.credentialId,
    ],
  )
}

/** The fewest days that any document said that was answered; undefined where none was. */
export const leastDaysTold = async (reader: Reader, scope: Scope, sessionId: string): Promise<number | undefined> => {
  const row = await reader.get<{ days: number | null }>(
    'SELECT min(retention_days) AS days FROM consents WHERE org_id = ? AND session_id = ?',
    [scope.orgId, sessionId],
  )
  return row?.days ?? undefined
}

/** The answers of one kind of device, oldest first. `lanes` is JSON text; the caller has found the session in this scope. */
export const listConsents = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  kind: NewConsent['kind'],
): Promise<{ lanes: string; recordedAt: number }[]> =>
  reader.all(
    `SELECT lanes, recorded_at AS "recordedAt" FROM consents WHERE org_id = ? AND session_id = ? AND kind = ?
     ORDER BY recorded_at, consent_id`,
    [scope.orgId, sessionId, kind],
  )

export interface ConsentRow extends Omit<NewConsent, 'credentialId' | 'retentionDays'> {
  readonly recordedAt: number
}

/** Every answer of a session with the document that was shown, oldest first; `document` and `lanes` are JSON text. */
export const listConsentsWithDocuments = (reader: Reader, scope: Scope, sessionId: string): Promise<ConsentRow[]> =>
  reader.all<ConsentRow>(
    `SELECT c.consent_id AS id, c.session_id AS "sessionId", c.kind, c.version, c.locale,
       c.document_hash AS "documentHash", c.document, c.lanes, c.accepted_at AS "acceptedAt", c.recorded_at AS "recordedAt"
     FROM consents c JOIN sessions s ON s.org_id = c.org_id AND s.session_id = c.session_id
     WHERE c.org_id = ? AND s.environment = ? AND c.session_id = ? ORDER BY c.recorded_at, c.consent_id`,
    [scope.orgId, scope.environment, sessionId],
  )
