import type { SessionState } from '@integrity/protocol'
import type { Reader, Tx } from '../../../platform/db/types.ts'

/** A credential of a session that somebody listens for. */
export interface CredentialKey {
  readonly orgId: string
  readonly credentialId: string
}
export interface CredentialStanding extends CredentialKey {
  readonly policyVersion: number
  readonly state: SessionState
  readonly createdAt: number
  readonly revokedAt: number | null
  readonly endedAt: number | null
  readonly erasedAt: number | null
  /** The last minute since the epoch in which a member looked at the session while it went on. */
  readonly watchedMinute: number | null
}

/** So many keys in one statement: its text is always the same, the last key fills the places that are left. */
const perStatement = 200

const inChunks = <T>(keys: readonly T[]): T[][] => {
  const chunks: T[][] = []
  for (let at = 0; at < keys.length; at += perStatement) {
    const chunk = keys.slice(at, at + perStatement)
    const last = chunk.at(-1)
    while (last !== undefined && chunk.length < perStatement) chunk.push(last)
    chunks.push(chunk)
  }
  return chunks
}
const places = Array.from({ length: perStatement }, () => '(?, ?)').join(', ')

/** Crosses tenants: how all the sessions stand whose agents listen here. */
export const credentialStandingsAcrossOrgs = async (
  reader: Reader,
  keys: readonly CredentialKey[],
): Promise<CredentialStanding[]> => {
  const found = await Promise.all(
    inChunks(keys).map((chunk) =>
      reader.all<CredentialStanding>(
        `SELECT c.org_id AS "orgId", c.credential_id AS "credentialId", s.policy_version AS "policyVersion", s.state,
           c.created_at AS "createdAt", c.revoked_at AS "revokedAt", s.ended_at AS "endedAt", s.erased_at AS "erasedAt",
           (SELECT MAX(w.minute) FROM session_watches w WHERE w.org_id = c.org_id AND w.session_id = c.session_id)
             AS "watchedMinute"
         FROM session_credentials c JOIN sessions s ON s.org_id = c.org_id AND s.session_id = c.session_id
         WHERE (c.org_id, c.credential_id) IN (VALUES ${places})`,
        chunk.flatMap(({ orgId, credentialId }) => [orgId, credentialId]),
      ),
    ),
  )
  return found.flat()
}

export interface SessionKey {
  readonly orgId: string
  readonly sessionId: string
}

/**
 * Crosses tenants: these agents were heard of just now. Rows that a request has touched since `stale` are left alone, and
 * so are those that one is touching at this moment: waiting for several rows could end in a deadlock.
 */
export const touchContactsAcrossOrgs = async (
  tx: Tx,
  keys: readonly SessionKey[],
  times: { readonly now: number; readonly stale: number },
): Promise<void> => {
  for (const chunk of inChunks(keys))
    await tx.run(
      `WITH due AS MATERIALIZED (
         SELECT org_id, session_id FROM session_counters WHERE (last_contact_at IS NULL OR last_contact_at < ?)
         AND (org_id, session_id) IN (VALUES ${places})${tx.forUpdateSkipLocked})
       UPDATE session_counters SET last_contact_at = ? WHERE (org_id, session_id) IN (SELECT org_id, session_id FROM due)`,
      [times.stale, ...chunk.flatMap(({ orgId, sessionId }) => [orgId, sessionId]), times.now],
    )
}
