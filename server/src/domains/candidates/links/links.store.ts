import type { CredentialEnding, LinkKind } from '@integrity/protocol'
import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

export type LinkEnding = Extract<CredentialEnding, 'replaced' | 'revoked' | 'declined'>

export interface LinkRow {
  readonly orgId: string
  readonly environment: Environment
  readonly id: string
  readonly sessionId: string
  readonly kind: LinkKind
  /** What it was made for: an invitation, or the session itself. */
  readonly subjectId: string
  /** How whoever holds it came by it, where that matters. */
  readonly origin: string | null
  readonly expiresAt: number
  readonly endedAt: number | null
  readonly endReason: LinkEnding | null
}

const columns = `org_id AS "orgId", environment, link_id AS id, session_id AS "sessionId", kind, subject_id AS "subjectId",
  origin, expires_at AS "expiresAt", ended_at AS "endedAt", end_reason AS "endReason"`

/** Crosses tenants: a link is found before it is known whose it is. */
export const findLinkByHash = (reader: Reader, tokenHash: string): Promise<LinkRow | undefined> =>
  reader.get<LinkRow>(`SELECT ${columns} FROM links WHERE token_hash = ?`, [tokenHash])

export const findLinkById = (reader: Reader, scope: Scope, id: string): Promise<LinkRow | undefined> =>
  reader.get<LinkRow>(`SELECT ${columns} FROM links WHERE org_id = ? AND environment = ? AND link_id = ?`, [
    scope.orgId,
    scope.environment,
    id,
  ])

export interface NewLink extends Pick<LinkRow, 'id' | 'sessionId' | 'kind' | 'subjectId' | 'origin' | 'expiresAt'> {
  readonly tokenHash: string
}

export const insertLink = async (tx: Tx, scope: Scope, link: NewLink, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO links (org_id, environment, link_id, session_id, kind, subject_id, origin, token_hash, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      scope.orgId,
      scope.environment,
      link.id,
      link.sessionId,
      link.kind,
      link.subjectId,
      link.origin,
      link.tokenHash,
      now,
      link.expiresAt,
    ],
  )
}

/** Ends the links of one kind that were made for the same thing and have not ended. */
export const endLinksOf = async (
  tx: Tx,
  scope: Scope,
  of: { readonly kind: LinkKind; readonly subjectId: string },
  reason: LinkEnding,
  now: number,
): Promise<void> => {
  await tx.run(
    `UPDATE links SET ended_at = ?, end_reason = ?
     WHERE org_id = ? AND environment = ? AND subject_id = ? AND kind = ? AND ended_at IS NULL`,
    [now, reason, scope.orgId, scope.environment, of.subjectId, of.kind],
  )
}
